/** The name of each kind of content, and its place in the panel. */
import { t } from '@parley/i18n';
import type { ContentSummary } from '@parley/contract';
import { CONTENT_KINDS, type ContentKind } from '@parley/domain';

export interface KindNames {
  path: string;
  plural: string;
  /** The name as it appears in the middle of a sentence. */
  one: string;
  /** For example `3 courses`. */
  count: (count: number) => string;
  untitled: string;
  create: string;
  all: string;
  none: string;
  intro: string;
}

export const KINDS: Readonly<Record<ContentKind, KindNames>> = {
  course: {
    path: '/courses',
    plural: t('Courses'),
    one: t('course'),
    count: (count) => t('{count, plural, one {# course} other {# courses}}', { count }),
    untitled: t('Untitled course'),
    create: t('New course'),
    all: t('All courses'),
    none: t('No courses yet'),
    intro: t('A course puts practices and videos into an order.'),
  },
  practice: {
    path: '/practices',
    plural: t('Practices'),
    one: t('practice'),
    count: (count) => t('{count, plural, one {# practice} other {# practices}}', { count }),
    untitled: t('Untitled practice'),
    create: t('New practice'),
    all: t('All practices'),
    none: t('No practices yet'),
    intro: t('A practice is a situation that learners talk through with a coach.'),
  },
  coach: {
    path: '/coaches',
    plural: t('Coaches'),
    one: t('coach'),
    count: (count) => t('{count, plural, one {# coach} other {# coaches}}', { count }),
    untitled: t('Untitled coach'),
    create: t('New coach'),
    all: t('All coaches'),
    none: t('No coaches yet'),
    intro: t('A coach plays the other person in a practice.'),
  },
  video: {
    path: '/videos',
    plural: t('Videos'),
    one: t('video'),
    count: (count) => t('{count, plural, one {# video} other {# videos}}', { count }),
    untitled: t('Untitled video'),
    create: t('New video'),
    all: t('All videos'),
    none: t('No videos yet'),
    intro: t('Videos belong to the sections of a course.'),
  },
  post: {
    path: '/blog',
    plural: t('Blog'),
    one: t('post'),
    count: (count) => t('{count, plural, one {# post} other {# posts}}', { count }),
    untitled: t('Untitled post'),
    create: t('New post'),
    all: t('All posts'),
    none: t('No posts yet'),
    intro: t('Posts appear on your public site and in the app.'),
  },
  industry: {
    path: '/industries',
    plural: t('Industries'),
    one: t('industry'),
    count: (count) => t('{count, plural, one {# industry} other {# industries}}', { count }),
    untitled: t('Untitled industry'),
    create: t('New industry'),
    all: t('All industries'),
    none: t('No industries yet'),
    intro: t('Learners choose the industry that they work in.'),
  },
};

/** The kind whose list or editor has this address. */
export const kindAt = (pathname: string): ContentKind =>
  CONTENT_KINDS.find((kind) => pathname.startsWith(KINDS[kind].path)) ?? 'course';

export function stateName({ state, hasChanges, publishAt }: ContentSummary): string {
  if (publishAt !== null) return t('Scheduled');
  switch (state) {
    case 'draft':
      return t('Draft');
    case 'published':
      return hasChanges ? t('Published, with changes') : t('Published');
    case 'withdrawn':
      return t('Withdrawn');
    case 'deleted':
      return t('Deleted');
    default:
      return state satisfies never;
  }
}
