/** Signs what is sent to a webhook endpoint, as Stripe does: HMAC-SHA256 over the moment and the body. */
import { createHmac } from 'node:crypto';

export function signatureHeader(body: string, { secret, atS }: { secret: string; atS: number }): string {
  const signature = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex');
  return `t=${atS},v1=${signature}`;
}
