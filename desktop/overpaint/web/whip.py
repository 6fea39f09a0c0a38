"""WHIP and WHEP routes: a peer publishes into a room, or watches it, over HTTP.

Source: RFC 9725 (WHIP), draft-ietf-wish-whep (WHEP), protocol decisions "Media room". Must not know
aiortc, sessions or keys: a room checks its own token and answers offers itself.

An answer contains all its ICE candidates; candidates that an offer lacks may follow by PATCH (trickle ICE).
ICE restarts are not supported and get 422 (RFC 9725, section 4.3.1). A refused offer gets 400. A token is
for one room and one role: publishing and watching, or watching only. The publisher receives a token for
watching only (``Overpaint-Viewer-Token``), to pass on to others. A resource is changed with the token that
created it, and deleted with that or with the publisher's. ``media/webrtc/candidate_filter`` filters
candidates; more PATCH requests than a browser needs get 429.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal

from fastapi import APIRouter, HTTPException, Request, Response

from overpaint.errors import AuthenticationError, InvalidRequestError, NotFoundError
from overpaint.media.links import Caller
from overpaint.web.bodies import read_bytes
from overpaint.web.hosts import client_address
from overpaint.web.refusals import refusal

if TYPE_CHECKING:
    from overpaint.media.webrtc.media_room import WebRtcRoom

SDP_TYPE = "application/sdp"
TRICKLE_TYPE = "application/trickle-ice-sdpfrag"
VIEWER_HEADER = "Overpaint-Viewer-Token"
MAX_SDP_BYTES = 65_536
OTHERS = ["GET", "HEAD", "POST", "PUT", "OPTIONS", "TRACE", "QUERY"]
"""Methods that a resource does not support."""

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
                "Accept-Patch": {"required": True, "schema": {"type": "string"}},
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
        find_room: Returns the open room with a name.

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
        place, token = _enter(find_room, room, request, publishes=True)
        answer = await _answer(place, token, request, place.answer_publisher)
        if answer.status_code == HTTPStatus.CREATED:
            answer.headers[VIEWER_HEADER] = place.viewer_token
        return answer

    @router.post("/{room}/whep", summary="Watch a room (WHEP)", **_OFFER)
    async def watch(room: str, request: Request) -> Response:
        """Takes an SDP offer, answers with an SDP answer and the resource's ``Location``."""
        place, token = _enter(find_room, room, request)
        return await _answer(place, token, request, place.answer_viewer)

    @router.patch(
        "/{room}/resources/{resource}",
        summary="Add ICE candidates (trickle)",
        status_code=204,
        response_class=Response,
        responses={404: {}, 412: {}, 415: {}, 422: {}, 428: {}},
        openapi_extra={
            **_TOKEN,
            "requestBody": {
                "required": True,
                "content": {TRICKLE_TYPE: {"schema": {"type": "string", "maxLength": MAX_SDP_BYTES}}},
            },
        },
    )
    async def trickle(room: str, resource: str, request: Request) -> Response:
        """Takes candidates of a peer that its offer did not have (RFC 9725, section 4.3.2; RFC 8840)."""
        place, token = _enter(find_room, room, request)
        place.check_member(resource, token)
        refusal = _check_type(request, TRICKLE_TYPE) or _check_match(request, resource)
        if refusal is not None:
            return refusal
        await place.add_candidates(resource, await _text(request, "ICE fragment"))
        return Response(status_code=204)

    @router.delete(
        "/{room}/resources/{resource}",
        summary="Leave a room",
        response_class=Response,
        responses={404: {}},
        openapi_extra=_TOKEN,
    )
    async def leave(room: str, resource: str, request: Request) -> Response:
        """Ends one peer's part."""
        place, token = _enter(find_room, room, request)
        place.check_member(resource, token, ends=True)
        await place.close_resource(resource)
        return Response(status_code=200)

    @router.api_route("/{room}/resources/{resource}", methods=OTHERS, include_in_schema=False)
    async def nothing_else(room: str, resource: str) -> Response:
        """Answers 405 with both methods in ``Allow``; the framework would name only one of them."""
        raise HTTPException(405, headers={"Allow": "DELETE, PATCH"})

    return router


def _enter(
    find_room: FindRoom, name: str, request: Request, *, publishes: bool = False
) -> tuple[WebRtcRoom, str]:
    """The room that the request's bearer token opens, and that token.

    Raises:
        AuthenticationError: No bearer token, a wrong one, or a viewer's token for publishing.
        NotFoundError: There is no such room.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise AuthenticationError("room_token_missing")
    room = find_room(name)
    if room is None:
        raise NotFoundError("room_unknown")
    if room.role_of(token.strip()) == "viewer" and publishes:
        raise AuthenticationError("room_token_of_viewer")
    return room, token.strip()


async def _answer(
    room: WebRtcRoom,
    token: str,
    request: Request,
    take: Callable[[str, Caller], Awaitable[tuple[str, str]]],
) -> Response:
    refusal = _check_type(request, SDP_TYPE)
    if refusal is not None:
        return refusal
    resource, answer = await take(await _text(request, "SDP offer"), Caller(token, client_address(request)))
    headers = {
        "Location": f"/v1/rtc/{room.name}/resources/{resource}",
        "ETag": _tag(resource),
        "Accept-Patch": TRICKLE_TYPE,
    }
    made = Response(answer, status_code=201, media_type=SDP_TYPE, headers=headers)
    for server in room.ice_servers:
        made.headers.append("Link", server.link())
    return made


def _check_type(request: Request, wanted: str) -> Response | None:
    """The error for a body of the wrong content type; None if it is right."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == wanted:
        return None
    if not kind:
        return refusal(InvalidRequestError("body_without_type", wanted=wanted), 415)
    return refusal(InvalidRequestError("body_of_other_type", wanted=wanted, type=kind), 415)


def _check_match(request: Request, resource: str) -> Response | None:
    """The error for a PATCH of another ICE session (``If-Match``, RFC 9725, section 4.3.1); else None."""
    match = request.headers.get("if-match", "").strip()
    if not match:
        return refusal(InvalidRequestError("ice_session_not_named"), 428)
    if match == "*":
        return refusal(InvalidRequestError("ice_restart_unsupported"), 422)
    if match != _tag(resource):
        return refusal(InvalidRequestError("ice_session_of_another_tag"), 412)
    return None


def _tag(resource: str) -> str:
    """The entity tag of a resource's ICE session, which never changes without ICE restarts."""
    return f'"{hashlib.sha256(resource.encode()).hexdigest()[:32]}"'


async def _text(request: Request, what: Literal["SDP offer", "ICE fragment"]) -> str:
    """Reads a text body. Raises ``InvalidRequestError``."""
    body = await read_bytes(request, MAX_SDP_BYTES)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise InvalidRequestError(
            "sdp_offer_not_text" if what == "SDP offer" else "ice_fragment_not_text"
        ) from error
