/** The folder of a speech pack: reads it, checks it against its manifest, and describes a new one. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { pipeline } from 'node:stream/promises';
import { MANIFEST_NAME, type PackFile, parseManifest, SpeechPackManifest } from './manifest.ts';

/** A file named in its manifest is missing or has different content. */
export class DamagedPack extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`the file ${path} of the speech pack is missing or damaged`);
    this.path = path;
  }
}

/** Returns null if the folder has no readable manifest. */
export async function readManifest(folder: string): Promise<SpeechPackManifest | null> {
  const text = await readFile(join(folder, MANIFEST_NAME), 'utf8').catch(() => null);
  return text === null ? null : parseManifest(text);
}

/** Hexadecimal SHA-256 of a file. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Returns the files by path. Rejects with `DamagedPack`. */
export async function loadFiles(folder: string, { files }: SpeechPackManifest): Promise<Map<string, Uint8Array>> {
  const loaded = new Map<string, Uint8Array>();
  for (const { path, bytes, sha256 } of files) {
    const content = await readFile(join(folder, path)).catch(() => null);
    if (content === null || content.byteLength !== bytes || hashOf(content) !== sha256) throw new DamagedPack(path);
    loaded.set(path, content);
  }
  return loaded;
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

export type PackDescription = Pick<SpeechPackManifest, 'name' | 'licence' | 'source' | 'precision'>;

export type DescribeResult = { ok: true; manifest: SpeechPackManifest } | { ok: false; problem: string };

/**
 * Writes the manifest for a folder with a model. Files that are not part of a model, such as hidden ones, are left out.
 */
export async function describePack(folder: string, description: PackDescription): Promise<DescribeResult> {
  const files: PackFile[] = [];
  for (const path of await listFiles(folder)) {
    const { size } = await stat(join(folder, path));
    files.push({ path, bytes: size, sha256: await hashFile(join(folder, path)) });
  }
  if (files.length === 0) return { ok: false, problem: 'There are no files of a model in this folder.' };
  const parsed = SpeechPackManifest.safeParse({ format: 1, ...description, files });
  if (!parsed.success) return { ok: false, problem: describeProblem(parsed.error) };
  await writeFile(join(folder, MANIFEST_NAME), `${JSON.stringify(parsed.data, null, 2)}\n`);
  return { ok: true, manifest: parsed.data };
}

/** Our own messages need no path; zod's messages are prefixed with the field that they concern. */
function describeProblem({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'The folder holds no model.';
  return issue.code === 'custom' ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}

/** Only the files of a model: its settings and its weights. */
const MODEL_FILE = /\.(?:json|onnx|onnx_data)$/;

async function listFiles(folder: string): Promise<string[]> {
  const namesIn = async (path: string): Promise<string[]> =>
    (await readdir(join(folder, path), { withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile() && MODEL_FILE.test(entry.name) && entry.name !== MANIFEST_NAME)
      .map(({ name }) => (path === '' ? name : `${path}/${name}`));
  return [...(await namesIn('')), ...(await namesIn('onnx'))].toSorted();
}
