"""Creates a calendar event for a user over the HTTP API. Needs Python 3.10 or later, and no packages.

    python3 app.py "Review" 2026-12-01T09:00:00Z
"""

import base64
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

SERVICE = os.environ.get("SVC_ENVIRONMENT_URL", "http://localhost:4400")
TIMEOUT_SECONDS = 130


class ServiceError(Exception):
    """An error of the service. `code` is stable; the message is for people."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']} (request {error['requestId']})")
        self.code = error["code"]


def send(method, path, headers, body=None):
    request = urllib.request.Request(SERVICE + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return json.load(response)
    except urllib.error.HTTPError as failure:
        if failure.headers.get("svc-error"):
            raise ServiceError(json.load(failure)["error"]) from None
        raise


def fetch_token():
    """Returns an access token. It is valid for 15 minutes."""
    credentials = f"{os.environ['SVC_CLIENT_ID']}:{os.environ['SVC_CLIENT_SECRET']}"
    headers = {
        "authorization": "Basic " + base64.b64encode(credentials.encode()).decode(),
        "content-type": "application/x-www-form-urlencoded",
    }
    return send("POST", "/oauth/token", headers, b"grant_type=client_credentials")["access_token"]


def main():
    summary = sys.argv[1] if len(sys.argv) > 1 else "Review"
    start = sys.argv[2] if len(sys.argv) > 2 else "2026-12-01T09:00:00Z"
    token = fetch_token()

    def call(method, path, body=None):
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        return send(method, path, headers, json.dumps(body or {}).encode() if method != "GET" else None)

    # Replace user_42 by the id of your user.
    path = "/v1/connections/calendar/accounts/" + urllib.parse.quote("user_42", safe="")
    account = call("PUT", path)
    if account["status"] != "authorized":
        print("Connect your calendar:", call("POST", path + "/authorization-link")["link"], flush=True)
    while account["status"] != "authorized":
        time.sleep(1)
        account = call("GET", path)

    result = call(
        "POST",
        "/v1/tools/calendar_create_event/execute",
        {
            "connectedAccountId": account["id"],
            "toolInput": {"summary": summary, "start_datetime": start},
        },
    )
    print("Created", result["data"]["summary"], result["data"]["htmlLink"])


if __name__ == "__main__":
    try:
        main()
    except KeyError as missing:
        sys.exit(f"Set {missing.args[0]}: `npm start` prints it.")
    except ServiceError as error:
        sys.exit(str(error))
