"""The API under generated requests: whatever comes, no answer is a fault of the server."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plainmark.web.playground.openapi import openapi
from support import playground

schema = schemathesis.openapi.from_dict(openapi())


@pytest.fixture(scope="module")
def served():
    with playground.running() as one:
        one.workers.warm_up()
        yield one


@schema.parametrize()
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_generated_requests(case, served):
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    case.call_and_validate(base_url=served.url, checks=checks)
