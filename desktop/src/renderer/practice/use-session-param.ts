/** Which session an address means; what is no id is the id of none. */
import { SessionId } from '@parley/domain';
import { useParams } from '@tanstack/react-router';

const NONE = SessionId.parse('00000000-0000-4000-8000-000000000000');

export const useSessionParam = (): SessionId => SessionId.catch(NONE).parse(useParams({ strict: false }).sessionId);
