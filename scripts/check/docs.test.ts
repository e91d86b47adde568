/** Checks that the links in Markdown pages lead somewhere, and that each picture of the documentation is shown. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runProgram } from '../run-program.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const { output } = await runProgram({
  program: 'git',
  args: ['ls-files', '-co', '--exclude-standard'],
  cwd: rootDir,
  quiet: true,
});
const files = output.split('\n').filter((file) => file !== '' && existsSync(join(rootDir, file)));
const read = (file: string): string => readFileSync(join(rootDir, file), 'utf8');

const links = files
  .filter((file) => file.endsWith('.md'))
  .flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1] ?? '')
      // Brackets in examples of the scene syntax look like links, but do not name a file.
      .filter((link) => /[./#]/.test(link) && !/^(https?|mailto):/.test(link))
      .map((link) => {
        const [path = '', anchor] = link.split('#');
        return { page, link, anchor, target: path === '' ? page : join(dirname(page), path) };
      }),
  );

/** The anchors that GitHub generates for a page's headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('finds a file and a heading for every link', () => {
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(
    ({ target, anchor }) =>
      !existsSync(join(rootDir, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
  );
  expect(broken.map(({ page, link }) => `${page}: ${link}`)).toEqual([]);
});

it('shows every picture of the documentation on a page', () => {
  const shown = new Set(links.map(({ target }) => target));
  expect(files.filter((file) => /^docs\/.*\.png$/.test(file) && !shown.has(file))).toEqual([]);
});

it('gives every decision a status and a line in the index', () => {
  const index = read('docs/decisions/README.md');
  const decisions = files.filter((file) => /^docs\/decisions\/\d{4}-.*\.md$/.test(file));
  expect(decisions.length).toBeGreaterThan(20);
  for (const file of decisions) {
    expect(read(file), file).toMatch(/^# \d+\. .+\n\nStatus: /);
    expect(index).toContain(`(${file.replace('docs/decisions/', '')})`);
  }
});
