/** Speaks to the server, and sorts its failures into those that the loop knows how to meet. */
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { type ErrorCode, isErrorCode, serverContract } from '@parley/contract';
import type { HostFailure } from '../answer/index.ts';

export type ServerClient = ContractRouterClient<typeof serverContract>;

const TIMEOUT_MS = 30_000;

export interface ServerConnection {
  client: ServerClient;
  /** How long the server's last answer asked to be left alone; 0 when it did not. */
  askedToWaitMs(): number;
  /** Ends what is under way: a host that closes waits for no server. */
  hangUp(): void;
}

export function connectToServer(serverUrl: string, token: () => Promise<string | null>): ServerConnection {
  let waitMs = 0;
  const leaving = new AbortController();
  const link = new OpenAPILink(serverContract, {
    url: serverUrl,
    headers: async () => {
      const bearer = await token();
      return bearer === null ? {} : { authorization: `Bearer ${bearer}` };
    },
    fetch: async (request, init) => {
      const response = await fetch(request, {
        ...init,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), leaving.signal]),
      });
      const seconds = Number(response.headers.get('retry-after') ?? 0);
      waitMs = Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
      return response;
    },
  });
  return { client: createORPCClient(link), askedToWaitMs: () => waitMs, hangUp: () => leaving.abort() };
}

/** The code of a failed call. What never reached the server, or lost its answer, is `sync.offline`; our own bugs are `internal`. */
export function failureOf(error: unknown): HostFailure {
  if (!(error instanceof ORPCError)) return { code: isLineFailure(error) ? 'sync.offline' : 'internal' };
  if (isErrorCode(error.code)) return { code: error.code, ...detailOf(error.data) };
  return { code: codeOfStatus(error.status), detail: error.code };
}

/** How `fetch` reports a line that broke: before the answer, inside it, or after too long a silence. */
const isLineFailure = (error: unknown): boolean =>
  error instanceof DOMException ||
  error instanceof SyntaxError ||
  (error instanceof TypeError && (error.cause !== undefined || error.message === 'terminated'));

function detailOf(data: unknown): { detail?: string; field?: string } {
  if (typeof data !== 'object' || data === null) return {};
  return {
    ...('detail' in data && typeof data.detail === 'string' ? { detail: data.detail } : {}),
    ...('field' in data && typeof data.field === 'string' ? { field: data.field } : {}),
  };
}

/** For answers that are not our server's own, such as those of a proxy before it. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'auth.required';
  if (status === 403) return 'auth.forbidden';
  if (status === 413) return 'request.too_large';
  if (status === 429) return 'request.too_many';
  return status >= 500 ? 'sync.offline' : 'internal';
}
