"""The probe: small calls of pylibcudf and rmm, and the record of what they give on a GPU.

A call is data (`forms`), so a record holds both the call and its result, and the double of the library in
the tests is held to it: it must give the same result for the same call.
"""
