/** Reads the session id from the route; an invalid id becomes one that matches no session. */
import { SessionId } from '@parley/domain';
import { useParams } from '@tanstack/react-router';

const NO_SESSION_ID = SessionId.parse('00000000-0000-4000-8000-000000000000');

export const useSessionId = (): SessionId =>
  SessionId.catch(NO_SESSION_ID).parse(useParams({ strict: false }).sessionId);
