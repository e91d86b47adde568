/** Imports a course pack after showing what it would change, as the admin panel does. */
import type { PackProblem, PackSource } from '@parley/catalogue/pack';
import type { PackPreview } from '@parley/contract';
import { explanationText } from '@parley/domain';
import type { CoursePacks } from '../authoring/index.ts';
import { CommandFailure, type Output, pluralize } from './command.ts';

export interface ImportRequest {
  publish: boolean;
  confirm: (question: string) => Promise<boolean>;
}

/** Throws a `CommandFailure` for a pack with mistakes, and when the content was changed after it was shown. */
export async function importAfterPreview(
  packs: Pick<CoursePacks, 'preview' | 'import'>,
  source: PackSource,
  { publish, confirm }: ImportRequest,
  output: Output,
): Promise<void> {
  const { problems, contents, seen } = await packs.preview(source);
  if (problems.length > 0) throw new CommandFailure(describeProblems(problems));
  const changes = contents.filter(({ change }) => change !== 'same');
  if (changes.length === 0) output.print('Everything in this pack is already here.');
  else {
    output.print('This will change:');
    for (const content of changes) output.print(describeChange(content));
    const same = contents.length - changes.length;
    if (same > 0)
      output.print(`${pluralize(same, 'document')} of the pack will stay as ${same === 1 ? 'it is' : 'they are'}.`);
  }
  // Drafts that already exist can still be published.
  if (changes.length === 0 && !publish) return;
  if (!(await confirm(publish ? 'Import it and publish it, so that learners see it?' : 'Import it as drafts?'))) {
    output.print('Nothing was imported.');
    return;
  }
  const result = await packs.import(null, source, { publish, seen });
  switch (result.status) {
    case 'imported':
      return output.print(`Imported: ${result.changed} changed, ${result.published} published.`);
    case 'refused':
      throw new CommandFailure(describeProblems(result.problems));
    case 'outdated':
      throw new CommandFailure(
        'This content was changed after it was shown to you. Nothing was imported: run the command again to see what would change now.',
      );
  }
}

const MAX_PLACES = 5;

function describeChange({ kind, title, change, changes }: PackPreview['contents'][number]): string {
  const places = changes.slice(0, MAX_PLACES).map((path) => path.join('.'));
  const more = changes.length > MAX_PLACES ? [`${changes.length - MAX_PLACES} more`] : [];
  const where = places.length === 0 ? '' : ` (${[...places, ...more].join(', ')})`;
  return `  ${change.padEnd(8)}${kind.padEnd(9)}${onOneLine(title)}${onOneLine(where)}`;
}

/** A pack comes from elsewhere, and control characters in it could manipulate the terminal or reverse a line. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');

export const describeProblems = (problems: readonly PackProblem[]): string =>
  problems
    .map(({ file, line, ...explanation }) => {
      const place = [file, line].filter((part) => part !== '' && part !== null).join(':');
      const text = explanationText(explanation);
      return onOneLine(place === '' ? text : `${place}: ${text}`);
    })
    .join('\n');
