/** Decides whether a learner may watch a video: at least one of its sections must be open to them. */
import { mediaAddress } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { readSectionLocks } from '../courses/index.ts';
import type { Database } from '../db/client.ts';

/** For a video that is in no course, or no longer in one, only the plan counts. */
export async function mayWatch(
  { db, now }: { db: Database; now: () => Date },
  { userId, mediaId }: { userId: string; mediaId: string },
): Promise<boolean> {
  const which = sql`exists (select 1 from course_section_videos cv join videos v on v.video_id = cv.video_id
    where cv.course_section_id = s.course_section_id and cv.deleted_at is null
      and v.file_url = ${mediaAddress(mediaId)} and v.deleted_at is null)`;
  const { sectionIds, openIds, isOutsideOpen } = await readSectionLocks(db, { userId, which, at: now() });
  return sectionIds.length === 0 ? isOutsideOpen : openIds.length > 0;
}
