"""Uses the service by the ids of its operations, from GET /openapi.json. Needs Python 3.10 or later, and no packages.

    python3 main.py
"""

import json
import os
import sys
import time
import urllib.parse
import urllib.request

from operations import Api, ServiceError, UndocumentedError

CONNECTION = "python_calendar"
# Replace user_42 by the id of your user.
ACCOUNT = {"connectionName": CONNECTION, "identifier": "user_42"}
EVENT = {"summary": "Review", "start_datetime": "2026-12-01T09:00:00Z"}


def sign_in(api):
    """Gets an access token, which is valid for 15 minutes."""
    form = {
        "grant_type": "client_credentials",
        "client_id": os.environ["SVC_CLIENT_ID"],
        "client_secret": os.environ["SVC_CLIENT_SECRET"],
    }
    api.headers["authorization"] = "Bearer " + api.call("createAccessToken", form)["access_token"]


def register_client(sandbox, redirect_uri):
    """Registers an OAuth client at the sandbox, as you would do it on the pages of the real calendar service."""
    url = sandbox + "/_sandbox/upstreams/calendar/clients"
    body = json.dumps({"redirectUris": [redirect_uri]}).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, {"content-type": "application/json"})) as response:
        return json.load(response)


def create_connection(api):
    """Creates a second connection to the sandbox's calendar, in which a person approves each new event."""
    existing = api.call("getConnection", connectionName="calendar")
    names = ("baseUrl", "authorizationEndpoint", "tokenEndpoint", "revocationEndpoint")
    addresses = {name: existing[name] for name in names if existing[name]}
    created = api.call("createConnection", {"connectionName": CONNECTION, "connector": "calendar", **addresses})
    sandbox = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(existing["baseUrl"]))
    client = register_client(sandbox, created["redirectUri"])
    approve = {"default": "never", "tools": {"calendar_create_event": "always"}}
    settings = {"clientId": client["clientId"], "clientSecret": client["clientSecret"], "approve": approve}
    return api.call("updateConnection", settings, connectionName=CONNECTION)


def authorize(api):
    """Shows the link where the user consents, and waits until the account is authorized."""
    account = api.call("getOrCreateConnectedAccount", {}, **ACCOUNT)
    if account["status"] != "authorized":
        print("Connect the calendar:", api.call("getAuthorizationLink", {}, **ACCOUNT)["link"], flush=True)
    while account["status"] != "authorized":
        time.sleep(1)
        account = api.call("getAccount", **ACCOUNT)


def execute(api, tool_name, tool_input):
    return api.call("executeTool", {**ACCOUNT, "toolInput": tool_input}, toolName=tool_name)


def execute_approved(api, tool_name, tool_input):
    """Runs a tool that needs an approval, and approves the call. In production, a person decides."""
    try:
        return execute(api, tool_name, tool_input)
    except ServiceError as error:
        if error.code != "approval_required":
            raise
        api.call("decideApproval", {"decision": "approve"}, approvalId=error.details["id"])
        return execute(api, tool_name, tool_input)


def main():
    api = Api.load(os.environ.get("SVC_ENVIRONMENT_URL", "http://localhost:4400"))
    sign_in(api)
    print("Created the connection", create_connection(api)["connectionName"])
    authorize(api)
    tools = api.call("listTools", connector="calendar")["items"]
    print("Tools:", ", ".join(tool["name"] for tool in tools))
    result = execute_approved(api, "calendar_create_event", EVENT)
    print("Created", result["data"]["summary"])
    try:
        execute(api, "calendar_create_event", {**EVENT, "start_datetime": "tomorrow"})
    except ServiceError as error:
        print("Refused:", error, json.dumps(error.details))
    calendars = api.call("requestGet", **ACCOUNT, path="calendar/v3/users/me/calendarList")
    print("Calendars:", len(calendars["items"]))
    execution = api.call("getExecution", executionId=result["executionId"])
    print("The call took", execution["durationMs"], "ms in version", execution["serviceVersion"])
    # Deletes the account and the connection, so that the example can run again.
    api.call("deleteAccount", **ACCOUNT)
    api.call("deleteConnection", connectionName=CONNECTION)
    print("Deleted the connection")


if __name__ == "__main__":
    try:
        main()
    except KeyError as missing:
        sys.exit(f"{missing.args[0]} is missing. `npm start` prints the settings of the example.")
    except (ServiceError, UndocumentedError) as error:
        sys.exit(str(error))
