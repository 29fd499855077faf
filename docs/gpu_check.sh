#!/usr/bin/env bash
# Checks a machine's GPU: tests on the real libraries, TPC-H against DuckDB, rates; a dated report, JSON and Markdown.
#
#   docs/gpu_check.sh [--budget SECONDS] [--scales 1,10] [--output DIR] ...   (--help lists all)
#
# It makes its environment in .venv-gpu with the gpu and test extras (about 4 GB). For a machine that can download nothing:
#
#   docs/gpu_check.sh --pack DIR [--python 3.12]   where there is a network: the wheels, in pieces of at most 55 MiB
#   docs/gpu_check.sh --join DIR [--reuse]         over there: verified, joined, installed into .venv-gpu
#
# GPU_VENV names another environment, PYTHON another Python to make it with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
environment=${GPU_VENV:-.venv-gpu}
python=${PYTHON:-python3}

case ${1:-} in
    -h | --help)
        exec "$python" tpch/gpu_check_options.py --help
        ;;
    --pack)
        shift
        exec "$python" tpch/gpu_check_pack.py pack "$@"
        ;;
    --join)
        shift
        exec "$python" tpch/gpu_check_pack.py join --into "$environment" "$@"
        ;;
esac

# One that was joined is left as it is: .ci/venv would ask the network.
if [ ! -e "$environment/.joined" ]; then
    .ci/venv "$environment" "${PYTHON:-}" gpu,test
fi
exec "$environment/bin/python" -m tandemdb.tpch.gpu_check "$@"
