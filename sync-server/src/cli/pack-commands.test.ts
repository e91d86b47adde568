import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPack } from '@parley/catalogue/pack';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../compose/config/read-config.ts';
import { openCoursePacks } from '../compose/open-course-packs.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { contentDocuments } from '../db/content-tables.ts';
import { openMemoryDatabase } from '../../test-kit/memory-database.ts';
import { importAfterPreview } from './import-pack.ts';
import { validatePack, writePack } from './pack-commands.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-packs-'));
const config = readConfig({ DATA_DIR: join(root, 'data') });
const folder = join(root, 'pack');
let database: DatabaseConnection;
beforeAll(async () => {
  database = await openMemoryDatabase();
});
afterAll(() => database.close());

const write = (file: string, text: string): void => {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const video = (title: string): string =>
  `title: "${title}"\ndescription: Where everything is.\nfile: https://example.com/tour.mp4\ntranscript: Welcome.\n`;
const course = (title: string): string =>
  `title: ${title}\ndescription: D\nstatus: available\nsections:\n  - title: S\n    description: D\n    items: [{ video: tour }]\n`;

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  write('videos/tour.yaml', video('A tour'));
});

async function importIt({
  publish = false,
  confirm = async () => true,
}: Partial<Parameters<typeof importAfterPreview>[2]>) {
  const lines: string[] = [];
  const packs = await openCoursePacks(config, database);
  const run = importAfterPreview(packs, { folder }, { publish, confirm }, { print: (line) => lines.push(line) });
  return {
    lines,
    failure: await run.then(
      () => null,
      (error: unknown) => (error as Error).message,
    ),
  };
}
const titles = async (): Promise<string[]> =>
  (await database.db.select({ title: contentDocuments.title }).from(contentDocuments))
    .map(({ title }) => title)
    .toSorted();

describe('pack validate', () => {
  it('shows no control characters of a pack, which could clear the screen or fake a line', async () => {
    write('videos/tour.yaml', `${video('A tour')}cover: "a\\e[2J\\u202E\\nok.png"\n`);
    const failure = validatePack(folder, { print: () => undefined });
    await expect(failure).rejects.toThrow('covers/a [2J  ok.png');
  });

  it('names a missing video file once', async () => {
    write('videos/tour.yaml', video('A tour').replace('https://example.com/tour.mp4', 'media/gone.mp4'));
    const failure: unknown = await validatePack(folder, { print: () => undefined }).catch((error: unknown) => error);
    expect((failure as Error).message).toBe('videos/tour.yaml:3: There’s no file media/gone.mp4.');
  });
});

describe('pack import', () => {
  it('shows the changes, and imports nothing without consent', async () => {
    const questions: string[] = [];
    const refuse = async (question: string) => {
      questions.push(question);
      return false;
    };
    expect(await importIt({ publish: true, confirm: refuse })).toEqual({
      lines: ['This will change:', '  new     video    A tour', 'Nothing was imported.'],
      failure: null,
    });
    expect(questions).toEqual(['Import it and publish it, so that learners see it?']);
    expect(await titles()).toEqual([]);
  });

  it('names the differences, and unchanged content', async () => {
    write('videos/other.yaml', video('Another tour'));
    await importIt({});
    write('videos/tour.yaml', video('A \\u001b[31mlonger tour'));
    expect((await importIt({})).lines).toEqual([
      'This will change:',
      '  changed video    A  [31mlonger tour (title)',
      '1 document of the pack will stay as it is.',
      'Imported: 1 changed, 0 published.',
    ]);
    expect((await importIt({})).lines).toEqual(['Everything in this pack is already here.']);
    expect((await importIt({ publish: true })).lines).toEqual([
      'Everything in this pack is already here.',
      'Imported: 0 changed, 2 published.',
    ]);
  });

  it('does not overwrite an admin’s changes made after the preview', async () => {
    await importIt({});
    write('videos/tour.yaml', video('From the pack'));
    const change = async () => {
      await database.db.update(contentDocuments).set({ revision: 40 }).where(eq(contentDocuments.kind, 'video'));
      return true;
    };
    expect((await importIt({ confirm: change })).failure).toContain('changed after it was shown to you');
    expect(await titles()).not.toContain('From the pack');
  });
});

describe('pack export', () => {
  const exportIt = async (name: string | undefined) => {
    const file = join(root, 'course.zip');
    const lines: string[] = [];
    const packs = await openCoursePacks(config, database);
    await writePack({ db: database.db, packs }, { file, course: name }, { print: (line) => lines.push(line) });
    const pack = await loadPack({ bytes: readFileSync(file) });
    return { lines, files: pack.ok ? [...pack.files.keys()].filter((path) => path.endsWith('.yaml')).toSorted() : [] };
  };

  it('exports one course with its dependencies, by its title or its id', async () => {
    write('courses/office.yaml', course('Office life'));
    write('courses/travel.yaml', course('On the road'));
    expect((await importIt({})).failure).toBeNull();
    const [office] = await database.db
      .select({ id: contentDocuments.id })
      .from(contentDocuments)
      .where(eq(contentDocuments.title, 'Office life'));
    const { lines, files } = await exportIt('office LIFE');
    expect(lines[0]).toContain('contains the course “Office life” and all that belongs to it.');
    expect(files).toEqual(['courses/office-life.yaml', 'pack.yaml', 'videos/a-tour.yaml']);
    expect((await exportIt(office?.id)).files).toEqual(files);
    expect((await exportIt(undefined)).files).toContain('courses/on-the-road.yaml');
  });

  it('says when there is no such course, or several', async () => {
    await expect(exportIt('Elsewhere')).rejects.toThrow('There is no course “Elsewhere”.');
    write('courses/second.yaml', course('Office life'));
    expect((await importIt({})).failure).toBeNull();
    await expect(exportIt('Office life')).rejects.toThrow(/Several courses have this title\..*\n.*-.*\n.*-/);
  });
});
