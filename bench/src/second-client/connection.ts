/** Sends sync requests over fetch and returns a JSON body, NDJSON lines, or an error with its code. */

export interface ServerResponse {
  /** 0 when there was no response. */
  status: number;
  body: unknown;
  code: string | null;
  detail: string | null;
}

export interface Connection {
  signIn: (path: string, device: Record<string, string>) => Promise<{ userId: string; deviceId: string }>;
  post: (path: string, body: unknown) => Promise<ServerResponse>;
  /** Reports each complete line as it arrives; the body of the response is null. */
  readLines: (path: string, body: unknown, onLine: (line: unknown) => void) => Promise<ServerResponse>;
}

const NO_RESPONSE: ServerResponse = { status: 0, body: null, code: null, detail: null };
const TIMEOUT_MS = 30_000;

export function createConnection(url: string): Connection {
  let token: string | null = null;

  const sendRequest = (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });

  async function post(path: string, body: unknown): Promise<ServerResponse> {
    try {
      const response = await sendRequest(path, body);
      const text = await response.text();
      return response.ok
        ? { ...NO_RESPONSE, status: response.status, body: JSON.parse(text) }
        : parseFailure(response, text);
    } catch {
      return NO_RESPONSE;
    }
  }

  return {
    post,
    signIn: async (path, who) => {
      const { status, body, code } = await post(path, { ...who, name: 'A second client', platform: 'other' });
      if (status !== 200) throw new Error(`${path} responded with ${status} ${code ?? ''}`);
      const signedIn = body as { userId: string; deviceId: string; token: string };
      token = signedIn.token;
      return signedIn;
    },
    readLines: async (path, body, onLine) => {
      let response: Response;
      try {
        response = await sendRequest(path, body);
        if (!response.ok) return parseFailure(response, await response.text());
      } catch {
        return NO_RESPONSE;
      }
      let text = '';
      const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const chunk = await chunks?.read().catch(() => null);
        // The stream was cut, but its complete lines remain valid.
        if (chunk === null || chunk === undefined) return NO_RESPONSE;
        if (chunk.done) return { ...NO_RESPONSE, status: 200 };
        const lines = (text + chunk.value).split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) if (line !== '') onLine(JSON.parse(line));
      }
    },
  };
}

function parseFailure({ status }: Response, text: string): ServerResponse {
  try {
    const { code, data } = JSON.parse(text) as { code?: string; data?: { detail?: string | null } };
    return { ...NO_RESPONSE, status, code: code ?? null, detail: data?.detail ?? null };
  } catch {
    return { ...NO_RESPONSE, status };
  }
}
