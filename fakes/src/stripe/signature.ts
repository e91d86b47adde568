/** Signs webhook deliveries as Stripe does: HMAC-SHA256 over the timestamp and the body. */
import { createHmac } from 'node:crypto';

export function signatureHeader(body: string, { secret, atS }: { secret: string; atS: number }): string {
  const signature = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex');
  return `t=${atS},v1=${signature}`;
}
