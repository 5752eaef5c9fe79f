"""Calls Google's APIs with Google's own Python client: one call for each line of standard input."""

import io
import json
import sys

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseUpload

services = {}


def service_at(root, document, token):
    """Returns the service for an address and a token. Builds it from the API description and caches it."""
    key = (root, document["name"], token)
    if key not in services:
        described = {**document, "rootUrl": root}
        services[key] = build_from_document(json.dumps(described), credentials=Credentials(token))
    return services[key]


def send_in_pieces(request, retries):
    """Uploads a file in pieces. Adds the received byte count after each piece except the last."""
    arrived = []
    response = None
    while response is None:
        progress, response = request.next_chunk(num_retries=retries)
        if progress:
            arrived.append(progress.resumable_progress)
    return {**response, "arrived": arrived}


def request_of(service, call):
    resource = service
    for name in call["resource"]:
        resource = getattr(resource, name)()
    method = call["method"] + ("_" if call["method"] == "import" else "")
    media = call.get("media")
    file = {} if media is None else {"media_body": MediaIoBaseUpload(
        io.BytesIO(media["body"].encode()), media["mimeType"], chunksize=media["pieceBytes"], resumable=True
    )}
    request = getattr(resource, method)(**call["parameters"], **file)
    request.headers.update(call.get("headers", {}))
    return request


def send_at_once(service, calls):
    """Sends several calls in one batch request. Returns the result of each call, in their order."""
    results = {}

    def store(name, response, error):
        results[name] = {"data": response} if error is None else refused(error)

    batch = service.new_batch_http_request(callback=store)
    for at, call in enumerate(calls):
        batch.add(request_of(service, call), request_id=str(at))
    batch.execute()
    return [results[str(at)] for at in range(len(calls))]


def refused(error):
    body = json.loads(error.content or b"null")
    return {"error": {"code": error.resp.status, "body": body, "headers": dict(error.resp)}}


def run(document, call):
    service = service_at(call["root"], document, call["token"])
    if "batch" in call:
        return send_at_once(service, call["batch"])
    request = request_of(service, call)
    if call.get("media") is not None:
        return send_in_pieces(request, call["retries"])
    return request.execute(num_retries=call["retries"])


def speak(document, call):
    try:
        return {"data": run(document, call)}
    except HttpError as error:
        # Status 304 is a normal response to a conditional request, but the client raises it as an error.
        return {"data": ""} if error.resp.status == 304 else refused(error)
    except (AttributeError, TypeError) as error:
        return {"error": {"code": 0, "body": None, "message": str(error), "headers": {}}}


first = json.loads(sys.stdin.readline())
for line in sys.stdin:
    print(json.dumps(speak(first, json.loads(line))), flush=True)
