/** Reads a request body: JSON or a form with files. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Returns null for anything else. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const bytes = await buffer(request);
  const contentType = request.headers['content-type'] ?? '';
  try {
    if (contentType.startsWith('multipart/form-data')) return await readForm(bytes, contentType);
    const parsed: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}

async function readForm(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<Record<string, unknown>> {
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  const fields = await Promise.all(
    [...form.entries()].map(async ([name, value]) => [
      name,
      typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer()),
    ]),
  );
  return Object.fromEntries(fields) as Record<string, unknown>;
}
