/** A request as the log may hold it: links in e-mails carry their secret in the address, behind its question mark. */
import type { FastifyRequest } from 'fastify';

export interface DescribedRequest {
  [detail: string]: unknown;
  method: string;
  url: string;
  host: string;
  remoteAddress: string;
  remotePort?: number;
}

export const describeRequest = ({ method, url, host, ip, socket }: FastifyRequest): DescribedRequest => ({
  method,
  url: url.replace(/\?.*$/s, '?…'),
  host,
  remoteAddress: ip,
  ...(socket?.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
});
