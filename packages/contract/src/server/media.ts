/** A school's media: videos that admins upload by the tus protocol, verified before anyone else sees them. */
import { z } from 'zod';
import { adminBase } from './base.ts';

/** Where an upload is created and continued by the tus protocol (https://tus.io), version 1.0. */
export const UPLOADS_PATH = '/v1/admin/uploads';
const MAX_COVER_CHARACTERS = 700_000;
const MAX_FILE_NAME = 1_000;

export const MediaView = z.strictObject({
  id: z.uuid(),
  fileName: z.string(),
  bytes: z.number().int(),
  mediaType: z.string(),
  /** Null if the file does not contain its duration. */
  durationS: z.number().nullable(),
  /** Changes with the cover; null if there is none. */
  coverVersion: z.string().nullable(),
});
export type MediaView = z.infer<typeof MediaView>;

/**
 * - `not_video`: a picture, a document, a program, or something unknown.
 * - `unsupported`: a video of a kind that browsers do not play.
 * - `damaged`: it begins like a video and contains none.
 * - `too_long`: longer than six hours.
 */
export const MEDIA_REFUSALS = ['not_video', 'unsupported', 'damaged', 'too_long'] as const;
export type MediaRefusal = (typeof MEDIA_REFUSALS)[number];

const Id = z.strictObject({ id: z.uuid() });

const route = (path: string, summary: string) =>
  adminBase.route({ method: 'POST', path: `/v1/admin/media/${path}`, summary });

export const mediaServerContract = {
  usage: route('usage', 'How much the school has stored, and what is allowed')
    .input(z.strictObject({}))
    .output(z.strictObject({ usedBytes: z.number(), maxTotalBytes: z.number(), maxFileBytes: z.number() })),
  finish: route('finish', 'Verify an upload that has arrived, and keep it; repeating the call changes nothing')
    .input(Id)
    .output(
      z.discriminatedUnion('status', [
        z.strictObject({ status: z.literal('ready'), media: MediaView }),
        /** Some bytes are still missing. */
        z.strictObject({ status: z.literal('incomplete') }),
        /** The upload was deleted. */
        z.strictObject({ status: z.literal('refused'), reason: z.enum(MEDIA_REFUSALS) }),
      ]),
    ),
  read: route('read', 'What is known about a file; null when there is none')
    .input(Id)
    .output(z.strictObject({ media: MediaView.nullable() })),
  saveCover: route('save-cover', 'The picture that stands for a video: PNG, JPEG or WebP, as a `data:` address')
    .input(Id.extend({ picture: z.string().max(MAX_COVER_CHARACTERS) }))
    .output(z.strictObject({ media: MediaView })),
  addPicture: route(
    'add-picture',
    'Keep a picture for the text of a post: PNG, JPEG or WebP, as a `data:` address; repeating the call changes nothing',
  )
    .input(z.strictObject({ fileName: z.string().max(MAX_FILE_NAME), picture: z.string().max(MAX_COVER_CHARACTERS) }))
    .output(z.strictObject({ id: z.uuid(), width: z.number().int(), height: z.number().int() })),
  cancel: route('cancel', 'Delete what has arrived of an upload').input(Id).output(z.strictObject({})),
};
