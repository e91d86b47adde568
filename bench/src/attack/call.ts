/** A call with headers that `fetch` would not send, such as another `Host`. */
import { type IncomingHttpHeaders, request } from 'node:http';
import type { Target } from './target.ts';

export interface Call {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON, or as it is where it is text or bytes. */
  body?: object | string | Uint8Array;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export function call({ port }: Pick<Target, 'port'>, { method, path, headers = {}, body }: Call): Promise<Answer> {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const sent = isRaw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(isRaw ? {} : { 'content-type': 'application/json' }),
          ...(sent === undefined ? {} : { 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(sent);
  });
}

/** Several at a time, as a program does that wants to be quick. */
export async function callManyTimes(times: number, work: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  const AT_ONCE = 20;
  for (let from = 0; from < times; from += AT_ONCE)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, times - from) }, (_, n) => work(from + n)))),
    );
  return answers;
}

export const countStatus = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
