/** Fields that several kinds of drafts use. Their length is limited, and they may be empty. */
import { z } from 'zod';
import { IMAGE_MAX_LENGTH, SHORT_TEXT_MAX_LENGTH } from '../entity/people.ts';

export const DraftTitle = z.string().max(SHORT_TEXT_MAX_LENGTH);
export const DraftLine = z.string().max(600);
export const DraftText = z.string().max(20_000);

/** Empty, a picture as a `data:` address, or an address of this server. Another server's pictures would not load offline. */
export const DraftImage = z
  .string()
  .max(IMAGE_MAX_LENGTH)
  .regex(/^(|data:image\/(svg\+xml|png|jpeg|webp|gif)[;,][^]*|\/media\/[^]*)$/, 'not a picture');
