/** The list of posts, with unopened ones marked as new. */
import type { BlogPostCard } from '@parley/contract';
import { t } from '@parley/i18n';
import { Badge, Button, EmptyState } from '@parley/ui';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner, Loading, Screen } from '../foundation/screen/screen.tsx';
import { PostCover } from './post-cover.tsx';
import { PostFacts } from './post-facts.tsx';
import css from './blog.module.css';

const PAGE_SIZE = 24;

export function BlogScreen(): ReactElement {
  const { client, queries } = useHost();
  const posts = useInfiniteQuery(
    queries.blog.list.infiniteOptions({
      input: (offset: number) => ({ offset, limit: PAGE_SIZE }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const loaded = pages.reduce((sum, page) => sum + page.posts.length, 0);
        return loaded < last.total ? loaded : undefined;
      },
      placeholderData: keepPreviousData,
    }),
  );
  const unread = useQuery(queries.blog.unread.queryOptions()).data?.count ?? 0;
  const markAllRead = useMutation({ mutationFn: () => client.blog.markAllRead() });
  const shown = posts.data?.pages.flatMap((page) => page.posts) ?? [];
  return (
    <Screen
      title={t('Blog')}
      intro={t('How to speak English at work with less fear, and how Parley listens.')}
      action={
        unread > 0 ? (
          <Button variant="quiet" onPress={() => markAllRead.mutate()}>
            {t('Mark all as read')}
          </Button>
        ) : undefined
      }
    >
      {posts.isPending && <Loading label={t('Loading the posts')} comesFrom="computer" />}
      {posts.isError && <ErrorBanner error={posts.error} onRetry={() => void posts.refetch()} />}
      {posts.isSuccess && shown.length === 0 && (
        <EmptyState title={t('Nothing to read yet')}>
          {t('Posts appear here when your school publishes one.')}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <ul className={css['posts']}>
          {shown.map((post) => (
            <li key={post.id}>
              <PostCard post={post} />
            </li>
          ))}
        </ul>
      )}
      {posts.hasNextPage && (
        <Button onPress={() => void posts.fetchNextPage()} isDisabled={posts.isFetchingNextPage}>
          {t('Show older posts')}
        </Button>
      )}
    </Screen>
  );
}

const PostCard = ({ post }: { post: BlogPostCard }): ReactElement => (
  <Link to="/blog/$slug" params={{ slug: post.slug }} className={css['card']}>
    <PostCover post={post} />
    <h2 lang="en" className={css['title']}>
      {post.title}
    </h2>
    <p className={css['facts']}>
      {!post.isRead && <Badge>{t('New')}</Badge>}
      <PostFacts post={post} />
    </p>
    <p lang="en" className={css['excerpt']}>
      {post.excerpt}
    </p>
  </Link>
);
