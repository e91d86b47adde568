/** One post. Opening it marks it as read on this device. */
import { t } from '@parley/i18n';
import { EmptyState } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import { PostCover } from './post-cover.tsx';
import { PostFacts } from './post-facts.tsx';
import { PostText } from './post-text.tsx';
import css from './blog.module.css';

export function PostScreen(): ReactElement {
  const { slug } = useParams({ from: '/blog/$slug' });
  const { client, queries } = useHost();
  const query = useQuery(queries.blog.post.queryOptions({ input: { slug } }));
  const serverAddress = useQuery(queries.app.about.queryOptions()).data?.serverAddress ?? null;
  const { mutate: markRead } = useMutation({ mutationFn: (id: string) => client.blog.markRead({ id }) });
  const unreadId = query.data?.isRead === false ? query.data.id : null;
  useEffect(() => {
    if (unreadId !== null) markRead(unreadId);
  }, [unreadId, markRead]);
  const back = (
    <Link to="/blog" className={css['back']}>
      {t('All posts')}
    </Link>
  );
  if (query.data === null)
    return (
      <Screen title={t('Blog')}>
        <EmptyState title={t('This post isn’t here any more')} action={back}>
          {t('Your school has withdrawn it, or its address has changed.')}
        </EmptyState>
      </Screen>
    );
  return (
    <Screen title={query.data?.title ?? t('Blog')} action={back}>
      <QueryView query={query} loadingLabel={t('Loading the post')}>
        {(post) =>
          post !== null && (
            <article lang="en" className={css['article']}>
              <p className={css['lead']}>{post.excerpt}</p>
              <p className={css['facts']}>
                <PostFacts post={post} />
              </p>
              <div className={css['picture']}>
                <PostCover post={post} />
              </div>
              <PostText content={post.content} serverAddress={serverAddress} />
            </article>
          )
        }
      </QueryView>
    </Screen>
  );
}
