/** The calls of the sync protocol over fetch: a body or lines of JSON, and a failure with its code. */

export interface Answer {
  /** 0 when no answer came. */
  status: number;
  body: unknown;
  code: string | null;
  detail: string | null;
}

export interface Connection {
  signIn: (path: string, who: Record<string, string>) => Promise<{ userId: string; deviceId: string }>;
  post: (path: string, body: unknown) => Promise<Answer>;
  /** Tells each whole line as it comes; the answer's body is null. */
  lines: (path: string, body: unknown, onLine: (line: unknown) => void) => Promise<Answer>;
}

const NO_ANSWER: Answer = { status: 0, body: null, code: null, detail: null };
const TIMEOUT_MS = 30_000;

export function createConnection(url: string): Connection {
  let token: string | null = null;

  const ask = (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });

  async function post(path: string, body: unknown): Promise<Answer> {
    try {
      const response = await ask(path, body);
      const text = await response.text();
      return response.ok ? { ...NO_ANSWER, status: response.status, body: JSON.parse(text) } : failure(response, text);
    } catch {
      return NO_ANSWER;
    }
  }

  return {
    post,
    signIn: async (path, who) => {
      const { status, body, code } = await post(path, { ...who, name: 'A second client', platform: 'other' });
      if (status !== 200) throw new Error(`${path} was answered ${status} ${code ?? ''}`);
      const signedIn = body as { userId: string; deviceId: string; token: string };
      token = signedIn.token;
      return signedIn;
    },
    lines: async (path, body, onLine) => {
      let response: Response;
      try {
        response = await ask(path, body);
        if (!response.ok) return failure(response, await response.text());
      } catch {
        return NO_ANSWER;
      }
      let text = '';
      const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const chunk = await chunks?.read().catch(() => null);
        // A stream that was cut off: what came whole stays.
        if (chunk === null || chunk === undefined) return NO_ANSWER;
        if (chunk.done) return { ...NO_ANSWER, status: 200 };
        const lines = (text + chunk.value).split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) if (line !== '') onLine(JSON.parse(line));
      }
    },
  };
}

function failure({ status }: Response, text: string): Answer {
  try {
    const { code, data } = JSON.parse(text) as { code?: string; data?: { detail?: string | null } };
    return { ...NO_ANSWER, status, code: code ?? null, detail: data?.detail ?? null };
  } catch {
    return { ...NO_ANSWER, status };
  }
}
