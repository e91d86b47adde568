/** Serializes a request for the log without the query string, because links in e-mails carry their secret there. */
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
  url: url.replace(/\?.*$/s, '?…'),
  host,
  remoteAddress: ip,
  ...(socket?.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
});
