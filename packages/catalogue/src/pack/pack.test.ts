import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type AnyContent, emptyDocument, MAX_POST_PICTURE_BYTES, type PracticeDocument } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { courseDocument, postDocument, findDocumentFindings, practiceDocument } from '../documents/index.ts';
import { loadStarterCatalogue } from '../starter-catalogue.ts';
import { loadPack, packSchema, practiceFromText, practiceToText, readPack, writePack, zipPack } from './index.ts';

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url));
const starterFiles = new Map(
  readdirSync(CONTENT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('.'))
    .map((file) => [file.replaceAll('\\', '/'), new Uint8Array(readFileSync(join(CONTENT, file)))] as const),
);
const starter = readPack(starterFiles);
const catalogue = loadStarterCatalogue();
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const COACH =
  'name: A\nskills: [x]\ncommunicationStyle: x\ncharacterTraits: [x]\nvoice: { gender: female, locale: en-GB, rate: 1, pitch: 1 }\nmanner: { acknowledge: [], praise: [], reassure: [], goodbye: [] }\n';
const practice = (): AnyContent & { kind: 'practice' } => {
  const found = starter.contents.find((content) => content.kind === 'practice');
  if (found?.kind !== 'practice') throw new Error('no practice');
  return found;
};

describe('the starter catalogue as a pack', () => {
  it('has no problems, and no findings that prevent publishing', () => {
    expect(starter.problems).toEqual([]);
    for (const content of starter.contents)
      expect(findDocumentFindings(content).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('contains the documents of the bundled rows', () => {
    const byId = new Map<string, AnyContent>(starter.contents.map((content) => [content.id, content]));
    const practiceOf = (id: string): PracticeDocument => {
      const content = byId.get(id);
      if (content?.kind !== 'practice') throw new Error(`no practice ${id}`);
      return content.document;
    };
    for (const row of catalogue.practices) {
      const coach = catalogue.aiAgentProfiles.find(({ agentId }) => agentId === row.agentId);
      const goals = catalogue.practiceObjectives
        .filter(({ practiceId }) => practiceId === row.practiceId)
        .flatMap(({ objectiveId }) => catalogue.objectives.find((one) => one.objectiveId === objectiveId) ?? []);
      const { scenario, description, summary, role, ...document } = practiceOf(row.practiceId);
      const named = (line: string): string => line.replaceAll('{coach}', coach?.name ?? '');
      expect({
        ...document,
        scenario: named(scenario),
        description: named(description),
        summary: named(summary),
        role: named(role),
      }).toEqual(practiceDocument(row, goals));
    }
    for (const row of catalogue.courses) {
      const sections = catalogue.courseSections
        .filter(({ courseId }) => courseId === row.courseId)
        .map((section) => ({
          ...section,
          items: catalogue.courseSectionPractices
            .filter(({ courseSectionId }) => courseSectionId === section.courseSectionId)
            .map(({ practiceId }) => ({ kind: 'practice' as const, itemId: practiceId })),
        }));
      expect(byId.get(row.courseId)?.document).toEqual(courseDocument(row, sections));
    }
    for (const row of catalogue.blogPosts) expect(byId.get(row.id)?.document).toMatchObject(postDocument(row));
    expect(starter.contents).toHaveLength(
      catalogue.practices.length +
        catalogue.courses.length +
        catalogue.aiAgentProfiles.length +
        catalogue.industry.length +
        catalogue.blogPosts.length,
    );
  });

  it('is unchanged after being written and read again', { tags: ['slow'] }, async () => {
    const zipped = await buffer(zipPack(writePack(starter.contents).files));
    const loaded = await loadPack({ bytes: zipped });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const again = readPack(loaded.files);
    expect(again.problems).toEqual([]);
    const sorted = (contents: readonly AnyContent[]) => contents.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(sorted(again.contents)).toEqual(sorted(starter.contents));
    expect((await buffer(zipPack(writePack(again.contents).files))).equals(zipped)).toBe(true);
  });
});

describe('the schema of packs', () => {
  it('is that of the code', () => {
    const written: unknown = JSON.parse(
      readFileSync(fileURLToPath(new URL('../../../../docs/course-pack.schema.json', import.meta.url)), 'utf8'),
    );
    expect(JSON.parse(JSON.stringify(packSchema())), 'run: npm run bundle -w @parley/catalogue').toEqual(written);
  });
});

describe('a pack with mistakes', () => {
  const problemsOf = (files: Record<string, string>) =>
    readPack(new Map(Object.entries(files).map(([file, content]) => [file, text(content)]))).problems;

  it('reports each with its file and line', () => {
    expect(
      problemsOf({
        'courses/one.yaml':
          'title: One\ndescription: D\nstatus: available\nsections:\n  - title: S\n    description: D\n    practices: [absent]\n',
        'courses/two.yaml': 'title: Two\ndescription: D\nstatus: nowhere\nsections: []\n',
        'courses/three.yaml': 'title: "Two\n',
        'posts/bad.md': 'No head',
        'scripts/run.sh': 'rm',
      }),
    ).toEqual([
      { file: 'scripts/run.sh', line: null, code: 'file.foreign', values: {} },
      { file: 'courses/one.yaml', line: 7, code: 'reference.practice_unknown', values: { name: 'absent' } },
      { file: 'courses/three.yaml', line: expect.any(Number), code: 'file.yaml_invalid', values: expect.any(Object) },
      {
        file: 'courses/two.yaml',
        line: 3,
        code: 'value.not_allowed',
        values: { place: 'status', allowed: expect.stringContaining('available') },
      },
      { file: 'posts/bad.md', line: 1, code: 'file.post_head_missing', values: {} },
    ]);
  });

  it('says only that it is too new when a newer version of Parley made it', () => {
    const courses = { 'courses/two.yaml': 'title: Two\nnewField: 1\n' };
    const info = (version: string) => ({ 'pack.yaml': `format: parley-course-pack\nversion: ${version}\nmadeBy: x\n` });
    expect(problemsOf({ ...info('2'), ...courses })).toEqual([
      { file: 'pack.yaml', line: 2, code: 'pack.too_new', values: {} },
    ]);
    for (const version of ['0', '1', 'two'])
      expect(problemsOf({ ...info(version), ...courses }).map(({ code }) => code)).not.toContain('pack.too_new');
  });

  it('refuses false pictures, pictures of other types, and scripts in them', () => {
    for (const [file, content] of [
      ['a.png', 'not a picture'],
      ['a.png', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>'],
    ] as const)
      expect(problemsOf({ 'coaches/a.yaml': COACH, [`avatars/${file}`]: content })).toMatchObject([
        { file: `avatars/${file}` },
      ]);
  });

  describe('a drawing', () => {
    const SVG = '<svg xmlns="http://www.w3.org/2000/svg">';
    const problemsOfDrawing = (svg: string) => problemsOf({ 'coaches/a.yaml': COACH, 'avatars/a.svg': svg });

    it('may begin with comments, and reuse an element of its own', () => {
      const start = '<?xml version="1.0"?>\n<!-- one -->\n<!-- two > -->';
      for (const use of ['<use href="#a"/>', '<use x="1" xlink:href = \'#a\'></use>'])
        expect(problemsOfDrawing(`${start}${SVG}<path id="a"/>${use}</svg>`)).toEqual([]);
    });

    it.each([
      '<use href="https://elsewhere.example/a.svg#a"/>',
      '<use x=">" href="a.svg"/>',
      '<s:script>1</s:script>',
      '<filter id="a"><feImage href="data:image/png;base64,AAAA"/></filter>',
    ])('is refused with %s', (content) => {
      expect(problemsOfDrawing(`${SVG}${content}</svg>`)).toMatchObject([{ code: 'picture.active' }]);
    });

    it.each([
      ['comments before nothing', `${'<!---->'.repeat(30)}no ${SVG}</svg>`, ['picture.none']],
      ['uses of nothing', `${SVG}${'<use '.repeat(60_000)}</svg>`, ['value.too_large']],
      ['spaces instead of an address', `${SVG}<use href=${' '.repeat(150_000)}</svg>`, ['picture.active']],
    ])('is read in no time with many %s', (_what, svg, codes) => {
      const before = process.cpuUsage();
      expect(problemsOfDrawing(svg).map(({ code }) => code)).toEqual(codes);
      expect(process.cpuUsage(before).user / 1_000, 'milliseconds').toBeLessThan(3_000);
    });
  });

  it('finds the lines of thousands of unknown steps in no time', () => {
    const scene =
      'title: A\ncategory: a\nlevel: beginner\nminutes: 5\ncoach: a\nsummary: a\ndescription: a\nscenario: a\nrole: a\nobjectives: {}\n';
    const intents = `practice: a\nnodes:\n${Array.from({ length: 40_000 }, (_, nr) => `  step-${nr}: {}\n`).join('')}`;
    const before = process.cpuUsage();
    const problems = problemsOf({ 'scenes/a.yaml': scene, 'intents/a.yaml': intents });
    expect(process.cpuUsage(before).user / 1_000, 'milliseconds').toBeLessThan(8_000);
    const unknown = problems.filter(({ code }) => code === 'reference.step_unknown');
    expect([unknown.length, unknown.at(-1)]).toMatchObject([40_000, { file: 'intents/a.yaml', line: 40_002 }]);
  });

  it('refuses aliases, which could make a small file huge', () => {
    const [problem] = problemsOf({ 'industries.yaml': 'a: &x Name\nb: *x\n' });
    expect(problem?.file).toBe('industries.yaml');
  });

  it('names the line of a key that is repeated', () => {
    expect(problemsOf({ 'industries.yaml': 'a: One\nb: { c: 1,\n  "c": 2 }\n1: x\n1: y\n' })).toMatchObject([
      { line: 3, code: 'file.yaml_invalid', values: { detail: 'Map keys must be unique' } },
      { line: 5, code: 'file.yaml_invalid', values: { detail: 'Map keys must be unique' } },
    ]);
  });

  it.each([
    ['keys', Array.from({ length: 40_000 }, (_, nr) => `key-${nr}: 1\n`).join('')],
    ['mistakes on a line', '!a '.repeat(100_000)],
  ])('reads a file with many %s in no time', (_what, yaml) => {
    const before = process.cpuUsage();
    expect(problemsOf({ 'coaches/a.yaml': yaml })).not.toEqual([]);
    expect(process.cpuUsage(before).user / 1_000, 'milliseconds').toBeLessThan(8_000);
  });
});

describe('a picture that is used many times', () => {
  const aPhoto = (bytes: number): Uint8Array => {
    const photo = new Uint8Array(bytes);
    photo.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return photo;
  };
  const aPost = (head: string, content: string): Uint8Array =>
    text(`---\ntitle: A\nexcerpt: B\n${head}---\n\n${content}`);

  it('in a text is hashed once', () => {
    const content = '![](pictures/a.png)\n'.repeat(60_000);
    const pictures = ['pictures/a.png', aPhoto(MAX_POST_PICTURE_BYTES)] as const;
    const before = process.cpuUsage();
    const { problems } = readPack(new Map([['posts/a.md', aPost('', content)], pictures]));
    expect(process.cpuUsage(before).user / 1_000, 'milliseconds').toBeLessThan(8_000);
    expect(problems).toMatchObject([{ file: 'posts/a.md', code: 'value.too_large' }]);
    const { contents } = readPack(new Map([['posts/a.md', aPost('', content.slice(0, 40))], pictures]));
    expect(contents).toMatchObject([
      { document: { content: expect.stringMatching(/^(!\[\]\(\/media\/[0-9a-f-]{36}\)\n){2}$/) } },
    ]);
  });

  it('by many documents is in memory once', () => {
    const posts = Array.from({ length: 1_500 }, (_, nr) => [`posts/${nr}.md`, aPost('cover: a.png\n', 'C')] as const);
    const before = process.memoryUsage();
    const { contents, problems } = readPack(new Map([...posts, ['covers/a.png', aPhoto(140 * 1_024)]]));
    const { heapUsed, external } = process.memoryUsage();
    expect((heapUsed + external - before.heapUsed - before.external) / 1_048_576, 'mebibytes').toBeLessThan(150);
    expect([problems, contents.length]).toEqual([[], 1_500]);
    expect(contents.at(-1)).toMatchObject({ document: { cover: expect.stringMatching(/^data:image\/png;base64,/) } });
  });
});

describe('a practice as text', () => {
  const coaches = catalogue.aiAgentProfiles.map(({ agentId, name }) => ({ id: agentId, name }));

  it('is unchanged after being shown and read again', () => {
    const { id, document } = practice();
    const result = practiceFromText(practiceToText(document, coaches), { id, before: document, coaches });
    expect(result).toEqual({ document, problems: [] });
  });

  it('reports the line of a mistake', () => {
    const { id, document } = practice();
    const broken = practiceToText(document, coaches).replace(/^level: .*$/m, 'level: expert');
    const line = broken.split('\n').indexOf('level: expert') + 1;
    expect(practiceFromText(broken, { id, before: document, coaches })).toMatchObject({
      document: null,
      problems: [{ line, code: 'value.not_allowed', values: { place: 'level' } }],
    });
  });
});

describe('findings of a practice', () => {
  const findingsOf = (document: PracticeDocument) =>
    findDocumentFindings({ kind: 'practice', id: practice().id, document });

  it('name the fields that an empty one lacks', () => {
    const fields = findingsOf(emptyDocument('practice')).map(({ path }) => path.join('.'));
    expect(fields).toEqual(expect.arrayContaining(['title', 'scenario', 'agentId', 'objectives', 'script.nodes']));
  });

  it('locate dead ends, missing steps, unmet objectives, ambiguous examples', () => {
    const { document } = practice();
    const { script } = document;
    if (script === null) throw new Error('no script');
    const changed = structuredClone({ ...document, script });
    const [first, second] = changed.script.nodes;
    const [intent, other] = first?.understanding?.intents ?? [];
    const [reply] = first?.replies ?? [];
    const [objective] = changed.objectives;
    if (first === undefined || second === undefined || intent === undefined || other === undefined)
      throw new Error('no step');
    if (reply === undefined || objective === undefined) throw new Error('no reply');
    first.replies[0] = { ...reply, to: { easy: 'nowhere', intermediate: 'nowhere', hard: 'nowhere' } };
    other.examples.push(intent.examples[0] ?? '');
    second.replies = [];
    changed.objectives.push({ ...objective, key: 'fly', objectiveId: practice().id });
    expect(findingsOf(changed)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          path: ['script', 'nodes', 0, 'replies', 0, 'to'],
          node: first.key,
          severity: 'error',
        }),
        expect.objectContaining({
          path: ['script', 'nodes', 1, 'replies'],
          node: second.key,
          code: 'step.no_reply',
        }),
        expect.objectContaining({ code: 'dialogue.objective_unmet', values: { objective: 'fly' } }),
        expect.objectContaining({
          code: 'answer.example_ambiguous',
          values: expect.objectContaining({ answer: intent.key, other: other.key }),
        }),
      ]),
    );
  });
});
