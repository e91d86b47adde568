/** Reads the files of a course pack into documents. Every problem has its file and line. */
import { type AnyContent, explain } from '@parley/domain';
import { z } from 'zod';
import { PACK_FORMAT, PACK_VERSION, PackInfo } from './pack-files.ts';
import { isPackFile, type PackFiles } from './pack-layout.ts';
import { createPackReader, type PackProblem, type PackReader } from './pack-reader.ts';
import { parseYaml } from './parse-yaml.ts';
import { readCourses } from './read-courses.ts';
import { type PackPicture, readPictures, readPosts } from './read-posts.ts';
import { readCoaches, readIndustries, readPractices } from './read-practices.ts';
import { type PackMedia, type PackVideo, readVideos } from './read-videos.ts';

export interface ReadPack {
  contents: readonly AnyContent[];
  problems: readonly PackProblem[];
  /** The file in which each document is, by id. */
  fileById: ReadonlyMap<string, string>;
  /** The files of videos, by the id of their document, whose address is made of the file's content. */
  videoById: ReadonlyMap<string, PackVideo>;
  pictures: readonly PackPicture[];
}

export function readPack(files: PackFiles, media: ReadonlyMap<string, PackMedia> = new Map()): ReadPack {
  const reader = createPackReader(files);
  const { contents, problems, fileById } = reader;
  const newer = findNewerVersion(reader);
  if (newer !== null) {
    // What this version does not know is no mistake in the pack.
    reader.report('pack.yaml', explain('pack.too_new'), newer.line);
    return { contents, problems, fileById, videoById: new Map(), pictures: [] };
  }
  const pictures = readPictures(reader);
  for (const file of files.keys()) if (!isPackFile(file)) reader.report(file, explain('file.foreign'));
  if (files.has('pack.yaml')) reader.parse('pack.yaml', PackInfo);
  readIndustries(reader);
  const coachIds = readCoaches(reader);
  const practiceIds = readPractices(reader, coachIds);
  const { videoIds, videoById } = readVideos(reader, media);
  readCourses(reader, { practice: practiceIds, video: videoIds });
  readPosts(reader);
  return { contents, problems, fileById, videoById, pictures };
}

const NewerPackInfo = z.looseObject({ format: z.literal(PACK_FORMAT), version: z.int().min(PACK_VERSION + 1) });

function findNewerVersion({ files, textOf }: PackReader): { line: number | null } | null {
  if (!files.has('pack.yaml')) return null;
  const parsed = parseYaml(textOf('pack.yaml'), NewerPackInfo);
  return parsed.ok ? { line: parsed.lineOf(['version']) } : null;
}
