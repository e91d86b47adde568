import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const COMMAND = fileURLToPath(new URL('./coach.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'parley-coach-'));

function run(args: readonly string[]): Promise<{ code: number; printed: unknown[]; explained: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { maxBuffer: 16 * 1_048_576 }, (error, stdout, stderr) => {
      const printed = stdout.split('\n').filter((line) => line !== '');
      resolve({
        code: typeof error?.code === 'number' ? error.code : 0,
        printed: printed.map((line): unknown => JSON.parse(line)),
        explained: stderr,
      });
    });
  });
}

function runOn(lines: readonly unknown[], { start = '', end = '\n' } = {}) {
  const file = join(folder, 'manifest.jsonl');
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(file, start + texts.join(end) + end);
  return run(['--manifest', file]);
}

const late = { practice: 'explain-a-delay', node: 'opening', difficulty: 'easy', said: "I'm sorry, it's late." };
const NO_ANSWER = { reply: null, kind: 'off', objectives: [], coach: '' };

describe('the command that asks the coach', () => {
  it('prints one answer for each line, in the order of the file', async () => {
    const { code, printed, explained } = await runOn([
      { id: 'a', ...late },
      { id: 'b', practice: 'see-a-doctor', node: 'opening', difficulty: 'hard', said: 'Could you repeat that?' },
      { id: 3, ...late, difficulty: undefined },
    ]);
    expect({ code, explained }).toEqual({ code: 0, explained: '' });
    expect(printed).toEqual([
      expect.objectContaining({ id: 'a', reply: 'how-late', kind: 'intent' }),
      expect.objectContaining({ id: 'b', reply: null, kind: 'asks', objectives: [] }),
      expect.objectContaining({ id: 3, reply: 'how-late' }),
    ]);
    for (const answer of printed)
      expect(Object.keys(answer as object)).toEqual(['id', 'reply', 'kind', 'objectives', 'coach']);
  });

  it(
    'explains each line that it cannot answer, and answers the others in their places',
    { tags: ['slow'] },
    async () => {
      const { code, printed, explained } = await runOn([
        '{"id": "broken"',
        { id: 'practice', ...late, practice: 'fly-to-the-moon' },
        { id: 'node', ...late, node: 'nowhere' },
        { id: 'difficulty', ...late, difficulty: 'impossible' },
        { id: 'said', ...late, said: undefined },
        { ...late },
        '"text"',
        { id: 'good', ...late },
      ]);
      expect(code).toBe(1);
      expect(printed).toEqual([
        { id: null, ...NO_ANSWER },
        ...['practice', 'node', 'difficulty', 'said'].map((id) => ({ id, ...NO_ANSWER })),
        { id: null, ...NO_ANSWER },
        { id: null, ...NO_ANSWER },
        expect.objectContaining({ id: 'good', reply: 'how-late' }),
      ]);
      for (const number of [1, 2, 3, 4, 5, 6, 7]) expect(explained).toContain(`line ${number}: `);
      expect(explained).toContain('there is no practice "fly-to-the-moon"');
      expect(explained).toContain('the scene has no node "nowhere"');
    },
  );

  it('responds to empty, foreign and very long text, whatever its characters', { tags: ['slow'] }, async () => {
    const long = 'My supplier has not sent the parts and so I have to wait. '.repeat(20_000);
    const texts = ['', ' \n\t ', '…', '我不知道', '😀'.repeat(500), '\u0000\uD800', 'a'.repeat(100_000), long];
    const { code, printed } = await runOn(texts.map((said, id) => ({ id, ...late, said })));
    expect(code).toBe(0);
    expect(printed).toHaveLength(texts.length);
    for (const answer of printed)
      expect(answer).toEqual(expect.objectContaining({ coach: expect.stringMatching(/\w/) }));
    expect(printed[0]).toEqual(expect.objectContaining({ reply: null, kind: 'off', objectives: [] }));
  });

  it('reads files from Windows: a byte order mark, and line ends of two characters', { tags: ['slow'] }, async () => {
    const { code, printed } = await runOn([{ id: 1, ...late }, '', { id: 2, ...late }], {
      start: '\uFEFF',
      end: '\r\n',
    });
    expect(code).toBe(0);
    expect(printed).toEqual([expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })]);
  });

  it.each([
    ['without a file', []],
    ['with a file that does not exist', ['--manifest', join(folder, 'missing.jsonl')]],
    ['with an option that does not exist', ['--manifesto', 'x']],
  ])('fails with an explanation %s', { tags: ['slow'] }, async (_, args) => {
    const { code, printed, explained } = await run(args);
    expect({ code, printed }).toEqual({ code: 2, printed: [] });
    expect(explained).toMatch(/^(?:Name the file|The file cannot be read)/);
  });
});
