/** The files of a pack other than practices: coaches, courses, videos, posts and industries. */
import { CoachVoice, COURSE_STATUSES } from '@parley/domain';
import { z } from 'zod';

const Text = z.string().max(20_000);
const Id = z.uuid().optional().describe('Derived from the file name when absent');

export const IndustriesFile = z.record(z.string(), z.union([Text, z.strictObject({ id: z.uuid(), name: Text })]));

const Phrases = z.array(Text);
export const CoachFile = z.strictObject({
  id: Id,
  name: Text,
  skills: z.array(Text),
  communicationStyle: Text,
  characterTraits: z.array(Text),
  voice: CoachVoice,
  manner: z.strictObject({ acknowledge: Phrases, praise: Phrases, reassure: Phrases, goodbye: Phrases }),
  avatar: z.string().max(200).optional().describe('A file in avatars; the one with this file’s name when absent'),
});

/** A file's name without `.yaml`, or the id of something that the server already has. */
const Reference = z.string().max(100);

export const CourseFile = z.strictObject({
  id: Id,
  title: Text,
  description: Text,
  status: z.enum(COURSE_STATUSES),
  order: z.number().optional(),
  sections: z.array(
    z.strictObject({
      id: z.uuid().optional(),
      title: Text,
      description: Text,
      practices: z.array(Reference).optional(),
      items: z
        .array(z.union([z.strictObject({ practice: Reference }), z.strictObject({ video: Reference })]))
        .optional()
        .describe('Instead of `practices`, for a section with videos'),
    }),
  ),
});

export const VideoFile = z.strictObject({
  id: Id,
  title: Text,
  description: Text,
  file: z.string().max(2_000).describe('A file in media, such as media/tour.mp4, or the address of a video'),
  fileName: z
    .string()
    .max(200)
    .optional()
    .describe('The name under which the panel shows the file; that in media when absent'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('Of the file in media, in hexadecimal digits; a pack with another file is refused'),
  cover: z.string().max(200).optional().describe('A picture in covers for the file in media: PNG, JPEG or WebP'),
  transcript: z.string().max(200_000).default(''),
  availability: z.enum(['ready', 'not_ready']).optional(),
});

/** The front matter of a post, between the two lines `---`. The rest is Markdown. */
export const PostHead = z.strictObject({
  id: Id,
  title: Text,
  slug: Text.optional(),
  excerpt: Text,
  cover: z.string().max(200).optional(),
  tags: z.array(Text).optional(),
  author: z.string().max(80).optional().describe('Who wrote it; the school when it is missing'),
  publishAt: z.string().optional(),
});

export const PACK_FORMAT = 'parley-course-pack';
export const PACK_VERSION = 1;
export const PackInfo = z.strictObject({ format: z.literal(PACK_FORMAT), version: z.literal(PACK_VERSION) });
