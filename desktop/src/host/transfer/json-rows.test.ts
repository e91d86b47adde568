import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonRows } from './json-rows.ts';

async function* inChunks(text: string, bytes: number): AsyncGenerator<Buffer> {
  const content = Buffer.from(text);
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}
async function rowsOf(text: string, chunkBytes = 3, maxRowBytes = 10_000): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of readJsonRows(inChunks(text, chunkBytes), { maxRowBytes })) rows.push(JSON.parse(row));
  return rows;
}

const anObject = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());

describe('the rows of a JSON file', () => {
  it('are the objects of its array, however it is laid out and cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anObject),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 50 }),
        async (objects, indent, chunkBytes) => {
          const text = JSON.stringify(objects, null, indent);
          expect(await rowsOf(text, chunkBytes)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it.each(['', '[', '[{"a":1}', '[{"a":"}]', '{}', '[1]', '[null]', '["a"]', '[[]]', '[{}] [{}]', '[{}]]', '\0\0'])(
    'are refused when the file is not a complete array of objects: %j',
    async (text) => {
      await expect(rowsOf(text)).rejects.toThrow(SyntaxError);
    },
  );

  it('are refused above the limit, within a chunk and across chunks', async () => {
    const text = JSON.stringify([{ text: 'x'.repeat(100) }]);
    for (const chunkBytes of [10, 1_000]) {
      expect(await rowsOf(text, chunkBytes, 111)).toHaveLength(1);
      await expect(rowsOf(text, chunkBytes, 100)).rejects.toThrow(SyntaxError);
    }
  });
});
