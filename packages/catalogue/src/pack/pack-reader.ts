/**
 * The state that the readers of a pack's files share: its files, the documents read from them, and the problems found.
 */
import {
  type AnyContent,
  contentDocuments,
  type ContentKind,
  explain,
  explainIssue,
  type Explanation,
} from '@parley/domain';
import type { z } from 'zod';
import { IMAGE_EXTENSIONS, imageToAddress } from './images.ts';
import type { PackFiles } from './pack-layout.ts';
import { type FileProblem, parseYaml } from './parse-yaml.ts';

export interface PackProblem extends FileProblem {
  file: string;
}

type Parsed<Schema extends z.ZodType> = Extract<ReturnType<typeof parseYaml<Schema>>, { ok: true }>;

export interface PackReader {
  files: PackFiles;
  contents: readonly AnyContent[];
  problems: readonly PackProblem[];
  /** The file in which each document is, by id. */
  fileById: ReadonlyMap<string, string>;
  report(file: string, explanation: Explanation, line?: number | null): void;
  /** The names of the files in a folder without their extension, sorted. */
  keysIn(folder: string, extension?: string): string[];
  textOf(file: string): string;
  /** Returns null when the file does not fit the schema, which is reported. */
  parse<Schema extends z.ZodType>(file: string, schema: Schema, text?: string): Parsed<Schema> | null;
  /** Adds a document, or reports what is wrong with it. */
  add(kind: ContentKind, id: string, at: { file: string; document: unknown }): void;
  /** Returns the address of a picture; empty when there is none. */
  picture(from: string, at: { folder: string; named: string | undefined; fallback: string }): string;
}

const MAX_PROBLEMS_PER_DOCUMENT = 20;

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** A file of a pack may also refer to something that the server already has, by its id. */
export const resolveReference = (idsByKey: ReadonlyMap<string, string>, reference: string): string | null =>
  idsByKey.get(reference) ?? (UUID.test(reference) ? reference : null);

export function createPackReader(files: PackFiles): PackReader {
  const problems: PackProblem[] = [];
  const contents: AnyContent[] = [];
  const fileById = new Map<string, string>();
  /** Thousands of documents may name one picture, whose address has hundreds of kilobytes. */
  const addressByPicture = new Map<string, string>();

  function report(file: string, explanation: Explanation, line: number | null = null): void {
    problems.push({ file, line, ...explanation });
  }

  const textOf = (file: string): string => new TextDecoder().decode(files.get(file));

  return {
    files,
    contents,
    problems,
    fileById,
    report,
    textOf,
    keysIn: (folder, extension = 'yaml') =>
      [...files.keys()]
        .filter((file) => file.startsWith(`${folder}/`) && file.endsWith(`.${extension}`))
        .map((file) => file.slice(folder.length + 1, -extension.length - 1))
        .toSorted(),
    parse(file, schema, text = textOf(file)) {
      const parsed = parseYaml(text, schema);
      if (parsed.ok) return parsed;
      for (const problem of parsed.problems) problems.push({ file, ...problem });
      return null;
    },
    add(kind, id, { file, document }) {
      const parsed = contentDocuments[kind].safeParse(document);
      if (!parsed.success) {
        for (const issue of parsed.error.issues.slice(0, MAX_PROBLEMS_PER_DOCUMENT)) report(file, explainIssue(issue));
        return;
      }
      if (fileById.has(id)) return report(file, explain('file.same_id', { file: fileById.get(id) ?? '' }));
      fileById.set(id, file);
      contents.push({ kind, id, document: parsed.data } as AnyContent);
    },
    picture(from, { folder, named, fallback }) {
      const name =
        named ??
        IMAGE_EXTENSIONS.map((extension) => `${fallback}.${extension}`).find((each) => files.has(`${folder}/${each}`));
      const file = `${folder}/${name ?? ''}`;
      const bytes = files.get(file);
      if (bytes === undefined) {
        if (named !== undefined) report(from, explain('file.missing', { file }));
        return '';
      }
      const known = addressByPicture.get(file);
      if (known !== undefined) return known;
      const address = imageToAddress(file, bytes);
      if (!address.ok) report(file, address.error);
      addressByPicture.set(file, address.ok ? address.value : '');
      return address.ok ? address.value : '';
    },
  };
}
