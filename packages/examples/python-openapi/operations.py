"""Calls the operations of an OpenAPI 3.1 document by their ids. Needs Python 3.10 or later, and no packages.

    api = Api.load("http://localhost:4400")
    api.call("getTool", name="calendar_create_event")

Each response is checked against the document: its status, its required properties, and the types of its values.
"""

import json
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT_SECONDS = 130
JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"
METHODS = ("get", "head", "post", "put", "patch", "delete")


class ServiceError(Exception):
    """An error of the service. `code` is stable; the message is for people."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']} (request {error['requestId']})")
        self.code = error["code"]
        self.details = error.get("details", {})


class UndocumentedError(Exception):
    """A call or a response that does not match the document."""


def is_type(name, value):
    if isinstance(value, bool):
        return name == "boolean"
    types = {
        "array": list,
        "integer": int,
        "null": type(None),
        "number": (int, float),
        "object": dict,
        "string": str,
    }
    return name in types and isinstance(value, types[name])


class Api:
    def __init__(self, document, url):
        self.document = document
        self.url = url
        self.headers = {}
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
            if method in METHODS
        }

    @classmethod
    def load(cls, url):
        """Reads the document of a service, which needs no authentication."""
        with urllib.request.urlopen(url + "/openapi.json", timeout=TIMEOUT_SECONDS) as response:
            return cls(json.load(response), url)

    def resolve(self, value):
        """Follows the reference to a component, if the value is one."""
        while "$ref" in value:
            target = self.document
            for key in value["$ref"].split("/")[1:]:
                target = target[key]
            value = target
        return value

    def call(self, operation_id, body=None, **parameters):
        """Calls an operation. Returns its JSON value, or None without a body. Raises a ServiceError for an error.

        Give each parameter by its name, with "_" instead of "-".
        """
        if operation_id not in self.operations:
            raise UndocumentedError(f"There is no operation {operation_id}.")
        method, path, operation = self.operations[operation_id]
        url, headers = self.place(operation, path, parameters)
        data = None
        if "requestBody" in operation:
            data, content_type = self.encode(operation_id, body)
            if data is not None:
                headers["content-type"] = content_type
        elif body is not None:
            raise UndocumentedError(f"{operation_id} has no body.")
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return self.read(operation_id, response)
        except urllib.error.HTTPError as failure:
            with failure:
                value = self.read(operation_id, failure)
            if failure.headers.get("svc-error") and isinstance(value.get("error"), dict):
                raise ServiceError(value["error"]) from None
            raise

    def place(self, operation, path, values):
        """Puts the values of the parameters into the URL and the headers."""
        left, query, headers = dict(values), {}, dict(self.headers)
        for parameter in map(self.resolve, operation.get("parameters", [])):
            name = parameter["name"]
            if name.replace("-", "_") not in left:
                if parameter["required"]:
                    raise UndocumentedError(f"{operation['operationId']} needs {name}.")
                continue
            value = left.pop(name.replace("-", "_"))
            self.check(parameter["schema"], value, f"{operation['operationId']} {name}")
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if parameter["in"] == "path":
                # The path of a proxied request keeps its slashes.
                safe = "/" if path.endswith("{path}") and name == "path" else ""
                path = path.replace("{" + name + "}", urllib.parse.quote(text, safe=safe))
            elif parameter["in"] == "query":
                query[name] = text
            else:
                headers[name] = text
        if left:
            raise UndocumentedError(f"{operation['operationId']} has no parameter {', '.join(left)}.")
        return self.url + path + ("?" + urllib.parse.urlencode(query) if query else ""), headers

    def encode(self, operation_id, body):
        """Checks the body of a request, and converts it to the content type of the document."""
        declared = self.operations[operation_id][2]["requestBody"]
        if body is None:
            if declared.get("required"):
                raise UndocumentedError(f"{operation_id} needs a body.")
            return None, None
        content_type, media = next(iter(declared["content"].items()))
        self.check(media["schema"], body, f"{operation_id} body")
        text = urllib.parse.urlencode(body) if content_type == FORM_TYPE else json.dumps(body)
        return text.encode(), content_type

    def read(self, operation_id, response):
        """Reads a response after a check of its status and its body."""
        responses = self.operations[operation_id][2]["responses"]
        status = str(response.status)
        name = next((name for name in (status, status[0] + "XX", "default") if name in responses), None)
        if name is None:
            raise UndocumentedError(f"{operation_id} responded with the status {status}, which is not documented.")
        text = response.read()
        content = self.content_of(responses[name])
        if not text:
            if content and self.operations[operation_id][0] != "HEAD":
                raise UndocumentedError(f"{operation_id} responded {status} without a body.")
            return None
        if not response.headers.get_content_type() == JSON_TYPE:
            return text
        value = json.loads(text)
        media = content.get(JSON_TYPE) or content.get("*/*")
        if media is None:
            raise UndocumentedError(f"{operation_id} responded {status} with a body, which is not documented.")
        self.check(media["schema"], value, f"{operation_id} {status}")
        return value

    def content_of(self, response):
        return self.resolve(response).get("content", {})

    def check(self, schema, value, at):
        """Checks a value against a schema: types, constants, required and unknown properties, and items."""
        schema = self.resolve(schema)
        if "anyOf" in schema:
            self.check_any(schema["anyOf"], value, at)
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(is_type(name, value) for name in types):
            raise UndocumentedError(f"{at} is not {' or '.join(types)}.")
        if value not in schema.get("enum", [value]) or value != schema.get("const", value):
            raise UndocumentedError(f"{at} has a value that is not documented.")
        if isinstance(value, list):
            for index, item in enumerate(value):
                self.check(schema.get("items", {}), item, f"{at}[{index}]")
        if isinstance(value, dict):
            self.check_object(schema, value, at)

    def check_any(self, schemas, value, at):
        problems = []
        for schema in schemas:
            try:
                return self.check(schema, value, at)
            except UndocumentedError as problem:
                problems.append(str(problem))
        raise UndocumentedError(" ".join(problems))

    def check_object(self, schema, value, at):
        for name in schema.get("required", []):
            if name not in value:
                raise UndocumentedError(f"{at}.{name} is missing.")
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name, item in value.items():
            if name not in properties and others is False:
                raise UndocumentedError(f"{at}.{name} is not documented.")
            self.check(properties.get(name, others if isinstance(others, dict) else {}), item, f"{at}.{name}")
