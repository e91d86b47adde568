/** The date of a post, and how long it takes to read. */
import type { BlogPostCard } from '@parley/contract';
import { formatLocale, t } from '@parley/i18n';
import type { ReactElement } from 'react';

export const PostFacts = ({ post }: { post: BlogPostCard }): ReactElement => (
  <span>
    {t('{day} · {minutes, plural, one {# minute} other {# minutes}} to read', {
      day: post.publishedAt.toLocaleDateString(formatLocale(), { dateStyle: 'long' }),
      minutes: post.minutes,
    })}
  </span>
);
