/** How each kind of content is called, and where it is in the panel. */
import type { ContentSummary } from '@parley/contract';
import { CONTENT_KINDS, type ContentKind } from '@parley/domain';

export interface KindNames {
  path: string;
  plural: string;
  one: string;
  empty: string;
}

export const KINDS: Readonly<Record<ContentKind, KindNames>> = {
  course: {
    path: '/courses',
    plural: 'Courses',
    one: 'course',
    empty: 'A course puts practices and videos into an order.',
  },
  practice: {
    path: '/practices',
    plural: 'Practices',
    one: 'practice',
    empty: 'A practice is a situation that learners talk through with a coach.',
  },
  coach: { path: '/coaches', plural: 'Coaches', one: 'coach', empty: 'A coach plays the other person in a practice.' },
  video: { path: '/videos', plural: 'Videos', one: 'video', empty: 'Videos belong to the sections of a course.' },
  post: { path: '/blog', plural: 'Blog', one: 'post', empty: 'Posts appear on your public site and in the app.' },
  industry: {
    path: '/industries',
    plural: 'Industries',
    one: 'industry',
    empty: 'Learners choose the industry that they work in.',
  },
};

/** The kind whose list or editor is at this address. */
export const kindAt = (pathname: string): ContentKind =>
  CONTENT_KINDS.find((kind) => pathname.startsWith(KINDS[kind].path)) ?? 'course';

export function stateName({ state, hasChanges, publishAt }: ContentSummary): string {
  if (publishAt !== null) return 'Scheduled';
  switch (state) {
    case 'draft':
      return 'Draft';
    case 'published':
      return hasChanges ? 'Published, with changes' : 'Published';
    case 'withdrawn':
      return 'Withdrawn';
    case 'deleted':
      return 'Deleted';
    default:
      return state satisfies never;
  }
}
