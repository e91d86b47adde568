/** JSON that arrives: what is no text, no JSON, or nested deeper than any message, is refused before anything walks through it. */

/** The deepest message, a conversation with its assessments inside a change, has about ten. */
const MAX_DEPTH = 64;

/** Refuses what is no UTF-8 instead of keeping question marks for what a learner said. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBody(body: Buffer): unknown {
  if (body.byteLength === 0) return undefined;
  const value = ((): unknown => {
    try {
      return JSON.parse(utf8.decode(body));
    } catch {
      throw badRequest('the body is no JSON');
    }
  })();
  if (isDeeperThan(value, MAX_DEPTH)) throw badRequest('the body is nested too deep');
  return value;
}

const badRequest = (message: string): Error => Object.assign(new Error(message), { statusCode: 400 });

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
