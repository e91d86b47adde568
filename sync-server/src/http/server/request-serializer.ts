/**
 * Serializes a request for the log without the secrets in links: e-mail links have them in the query, preview links in
 * the path.
 */
import type { FastifyRequest } from 'fastify';

export interface SerializedRequest {
  [detail: string]: unknown;
  method: string;
  url: string;
  host: string;
  remoteAddress: string;
  remotePort?: number;
}

export const serializeRequest = ({ method, url, host, ip, socket }: FastifyRequest): SerializedRequest => ({
  method,
  url: url.replace(/\?.*$/s, '?…').replace(/^\/+preview\/+[^?]+/is, '/preview/…'),
  host,
  remoteAddress: ip,
  ...(socket?.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
});
