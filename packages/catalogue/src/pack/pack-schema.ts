/** The JSON Schema of a pack's files, for editors. */
import { z } from 'zod';
import { CoachFile, CourseFile, IndustriesFile, PackInfo, PostHead, VideoFile } from './pack-files.ts';
import { IntentsFile, PracticeFile } from './practice-file.ts';

export function packSchema(): object {
  const schemaOf = (schema: z.ZodType): object => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return rest;
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Files of a Parley course pack',
    $defs: {
      pack: schemaOf(PackInfo),
      industries: schemaOf(IndustriesFile),
      coach: schemaOf(CoachFile),
      practice: schemaOf(PracticeFile),
      intents: schemaOf(IntentsFile),
      video: schemaOf(VideoFile),
      course: schemaOf(CourseFile),
      postHead: schemaOf(PostHead),
    },
  };
}
