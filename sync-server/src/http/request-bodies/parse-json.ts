/** Parses a JSON body and rejects invalid UTF-8, invalid JSON and excessive nesting before anything traverses it. */

/** The most deeply nested genuine message, a conversation with assessments inside a change, has about ten levels. */
const MAX_DEPTH = 64;

/** Rejects invalid UTF-8, because replacement characters would corrupt a learner's words. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBody(body: Buffer): unknown {
  if (body.byteLength === 0) return undefined;
  const value = ((): unknown => {
    try {
      return JSON.parse(utf8.decode(body));
    } catch {
      throw badRequest('the body is not JSON');
    }
  })();
  if (isDeeperThan(value, MAX_DEPTH)) throw badRequest('the body is nested too deeply');
  return value;
}

const badRequest = (message: string): Error => Object.assign(new Error(message), { statusCode: 400 });

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
