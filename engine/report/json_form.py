"""The report as JSON; `docs/gpu_report.md` documents every key (a test compares)."""

from __future__ import annotations

import json
from typing import Any

from .model import (
    Cause,
    Failure,
    FileReport,
    Operator,
    QueryPlan,
    ReasonCount,
    Report,
    StatementReport,
    share,
)
from .words import basis

VERSION = 1


def report_json(report: Report) -> str:
    """The report as a JSON text. A plan is a flat list of operators, so that no depth is too deep."""
    return json.dumps(report_data(report), indent=2, ensure_ascii=False) + "\n"


def report_data(report: Report) -> dict[str, Any]:
    """The report as JSON data."""
    from ... import __version__

    profile = report.profile
    return {
        "version": VERSION,
        "tandemdb": __version__,
        "profile": {
            "name": profile.name,
            "gpu": profile.gpu_name,
            "origin": profile.origin,
            "gpu_memory_bytes": profile.gpu_memory,
            "cpu_cores": profile.cores,
            "note": basis(report),
        },
        "lake": report.lake,
        "summary": _summary(report),
        "reasons": [_reason(reason) for reason in report.reasons],
        "files": [_file(file) for file in report.files],
    }


def _summary(report: Report) -> dict[str, Any]:
    plans = report.plans()
    return {
        "files": len(report.files),
        "statements": sum(len(file.statements) for file in report.files),
        "queries": len(plans),
        "queries_wholly_on_gpu": sum(not p.on("CPU") for p in plans),
        "failed": report.failures,
        "gpu_operators": sum(len(p.on("GPU")) for p in plans),
        "cpu_operators": sum(len(p.on("CPU")) for p in plans),
        "gpu_work_share": share(sum(p.work[0] for p in plans), sum(p.work[1] for p in plans)),
        "estimated_ms": _ms(sum(p.seconds for p in plans)),
        "estimated_cpu_only_ms": _ms(sum(p.cpu_seconds for p in plans)),
    }


def _reason(reason: ReasonCount) -> dict[str, Any]:
    return {
        "kind": reason.kind.value,
        "reason": reason.topic,
        "queries": reason.queries,
        "operators": reason.operators,
        "estimated_bytes": reason.bytes,
        "estimated_saved_ms": _ms(reason.saved),
        "examples": [{"file": path, "line": line, "operator": title} for path, line, title in reason.places],
    }


def _file(file: FileReport) -> dict[str, Any]:
    return {
        "path": file.path,
        "error": _error(file.failure),
        "statements": [_statement(statement) for statement in file.statements],
    }


def _statement(statement: StatementReport) -> dict[str, Any]:
    return {
        "number": statement.number,
        "line": statement.line,
        "kind": statement.kind,
        "sql": statement.sql,
        "notes": list(statement.notes),
        "error": _error(statement.failure),
        "plan": None if statement.plan is None else _plan(statement.plan),
    }


def _error(failure: Failure | None) -> dict[str, Any] | None:
    if failure is None:
        return None
    return {
        "kind": failure.kind,
        "code": failure.code,
        "message": failure.message,
        "hint": failure.hint,
        "line": failure.line,
        "column": failure.column,
    }


def _plan(plan: QueryPlan) -> dict[str, Any]:
    return {
        "gpu_work_share": share(*plan.work),
        "gpu_operators": len(plan.on("GPU")),
        "cpu_operators": len(plan.on("CPU")),
        "estimated_ms": _ms(plan.seconds),
        "estimated_cpu_only_ms": _ms(plan.cpu_seconds),
        "link_bytes_up": plan.bytes_up,
        "link_bytes_down": plan.bytes_down,
        "operators": [_operator(operator) for operator in plan.operators],
    }


def _operator(operator: Operator) -> dict[str, Any]:
    return {
        "id": operator.number,
        "inputs": list(operator.inputs),
        "operator": operator.title,
        "details": list(operator.details),
        "device": operator.device,
        "transfer": operator.moves,
        "reason": operator.reason,
        "why_not_gpu": [_cause(cause) for cause in operator.causes],
        "estimated_rows": operator.rows,
        "estimated_bytes": operator.bytes,
        "estimated_input_bytes": operator.input_bytes,
        "estimated_cpu_ms": _ms(operator.cpu_seconds),
        "estimated_gpu_ms": None if operator.gpu_seconds is None else _ms(operator.gpu_seconds),
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {"kind": cause.kind.value, "text": cause.text, "reason": cause.topic}


def _ms(seconds: float) -> float:
    return seconds * 1000
