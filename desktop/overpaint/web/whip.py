"""WHIP and WHEP: how any peer publishes into a room or watches it, over HTTP.

Source: RFC 9725 (WHIP), draft-ietf-wish-whep (WHEP), protocol decisions "Media room". Must not know
aiortc, sessions or keys: a room checks its own token and answers offers itself.

An offer carries all its candidates, and so does the answer: trickling and ICE restarts are not
supported; there is no PATCH, so it gets the 405 that RFC 9725 (section 4.3.1) has for that. A refused
offer is 400. A token is for one room and one role: publishing and watching, or watching alone. Who publishes
is told the token for watching alone (``Overpaint-Viewer-Token``), to hand on to others.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response

from overpaint.errors import AuthenticationError, InvalidRequestError, NotFoundError
from overpaint.web.bodies import read_bytes
from overpaint.web.refusals import error_answer

if TYPE_CHECKING:
    from overpaint.media.links.webrtc_room import WebRtcRoom

SDP_TYPE = "application/sdp"
VIEWER_HEADER = "Overpaint-Viewer-Token"
MAX_SDP_BYTES = 65_536

_TOKEN: dict[str, Any] = {"security": [{"roomToken": []}]}
_SDP = {SDP_TYPE: {"schema": {"type": "string", "maxLength": MAX_SDP_BYTES}}}
_OFFER: dict[str, Any] = {
    "status_code": 201,
    "response_class": Response,
    "responses": {
        201: {
            "description": "The answer, and where to leave again",
            "content": _SDP,
            "headers": {
                "Location": {"required": True, "schema": {"type": "string"}},
                "ETag": {"required": True, "schema": {"type": "string"}},
            },
        },
        404: {},
    },
    "openapi_extra": {**_TOKEN, "requestBody": {"required": True, "content": _SDP}},
}

FindRoom = Callable[[str], "WebRtcRoom | None"]


def whip_router(find_room: FindRoom) -> APIRouter:
    """The routes below ``/v1/rtc``.

    Args:
        find_room: The room of that name, if it is open.

    The routes raise ``ServiceError``; the application turns it into the error object.
    """
    router = APIRouter(prefix="/v1/rtc", tags=["media"])

    @router.options("/{room}/whip", include_in_schema=False)
    @router.options("/{room}/whep", include_in_schema=False)
    async def ask(room: str) -> Response:
        """What may be posted (RFC 9725, section 4.2); browsers' preflights are answered before."""
        return Response(status_code=204, headers={"Accept-Post": SDP_TYPE, "Allow": "OPTIONS, POST"})

    @router.post("/{room}/whip", summary="Publish into a room (WHIP)", **_OFFER)
    async def publish(room: str, request: Request) -> Response:
        """Takes an SDP offer, answers with an SDP answer and the resource's ``Location``."""
        place = _enter(find_room, room, request, publishes=True)
        answer = await _answer(place, request, place.answer_publisher)
        if answer.status_code == HTTPStatus.CREATED:
            answer.headers[VIEWER_HEADER] = place.viewer_token
        return answer

    @router.post("/{room}/whep", summary="Watch a room (WHEP)", **_OFFER)
    async def watch(room: str, request: Request) -> Response:
        """Takes an SDP offer, answers with an SDP answer and the resource's ``Location``."""
        place = _enter(find_room, room, request)
        return await _answer(place, request, place.answer_viewer)

    @router.delete(
        "/{room}/resources/{resource}",
        summary="Leave a room",
        response_class=Response,
        responses={404: {}},
        openapi_extra=_TOKEN,
    )
    async def leave(room: str, resource: str, request: Request) -> Response:
        """Ends one peer's part."""
        await _enter(find_room, room, request).close_resource(resource)
        return Response(status_code=200)

    return router


def _enter(find_room: FindRoom, name: str, request: Request, *, publishes: bool = False) -> WebRtcRoom:
    """The room, for one who has its token.

    Raises:
        AuthenticationError: No bearer token, the wrong one, or a viewer's to publish.
        NotFoundError: There is no such room.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise AuthenticationError("A room needs its token: Authorization: Bearer <token>.")
    room = find_room(name)
    if room is None:
        raise NotFoundError("There is no such room.")
    shown = token.strip().encode()
    watches = secrets.compare_digest(shown, room.viewer_token.encode())
    if not secrets.compare_digest(shown, room.token.encode()) and not watches:
        raise AuthenticationError("This is not the token of this room.")
    if publishes and watches:
        raise AuthenticationError("With this token one can watch the room, but not publish into it.")
    return room


async def _answer(
    room: WebRtcRoom, request: Request, take: Callable[[str], Awaitable[tuple[str, str]]]
) -> Response:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != SDP_TYPE:
        message = f"An offer comes as {SDP_TYPE}, not as {kind or 'nothing'}."
        return error_answer(415, "invalid_request_error", message)
    body = await read_bytes(request, MAX_SDP_BYTES)
    try:
        offer = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidRequestError("The SDP offer is not UTF-8 text.") from error
    resource, answer = await take(offer)
    headers = {
        "Location": f"/v1/rtc/{room.name}/resources/{resource}",
        "ETag": f'"{hashlib.sha256(answer.encode()).hexdigest()[:32]}"',
    }
    made = Response(answer, status_code=201, media_type=SDP_TYPE, headers=headers)
    for server in room.ice_servers:
        made.headers.append("Link", server.link())
    return made
