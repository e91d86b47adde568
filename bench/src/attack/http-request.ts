/** Sends HTTP requests with headers that `fetch` refuses to send, such as a foreign `Host`. */
import { type IncomingHttpHeaders, request } from 'node:http';
import type { Target } from './target.ts';

export interface HttpRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  /** Objects are sent as JSON, text and bytes as they are. */
  body?: object | string | Uint8Array;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export function sendRequest(
  { port }: Pick<Target, 'port'>,
  { method, path, headers = {}, body }: HttpRequest,
): Promise<HttpResponse> {
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

/** Sends requests in batches, as an attack script would. */
export async function sendManyRequests(
  times: number,
  work: (n: number) => Promise<HttpResponse>,
): Promise<HttpResponse[]> {
  const answers: HttpResponse[] = [];
  const BATCH_SIZE = 20;
  for (let from = 0; from < times; from += BATCH_SIZE)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(BATCH_SIZE, times - from) }, (_, n) => work(from + n)))),
    );
  return answers;
}

export const countStatus = (answers: readonly HttpResponse[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
