/** A post, with its cover and its details for the site. */
import { joinSentences } from '@parley/domain';
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import { MomentInput } from '../../foundation/screen/moment-input.tsx';
import { fromFieldTime, panelTimeZone, toFieldTime } from '../../foundation/screen/time-zone.ts';
import { Field, findingsAt, Lines, Text } from '../fields.tsx';
import { PictureField } from '../picture-field.tsx';
import type { FormProps } from './form-props.ts';
import { useSet } from './use-set.ts';
import { PostText } from './post-text.tsx';
import css from '../content.module.css';

const COVER_SIZE = { width: 1_200, height: 630 };

const toSlug = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);

export function PostForm({ document, findings, onChange }: FormProps<'post'>): ReactElement {
  const set = useSet(document, onChange);
  const at = (field: keyof typeof document) => findingsAt(findings, [field]);
  const followsTitle = document.slug === '' || document.slug === toSlug(document.title);
  return (
    <div className={css['form']}>
      <Text
        label={t('Title')}
        value={document.title}
        findings={at('title')}
        onChange={(title) => set({ title, ...(followsTitle && { slug: toSlug(title) }) })}
      />
      <Text
        label={t('Web address')}
        description={t('{address}. Links to an address that it had before keep working.', {
          address: `/blog/${document.slug}`,
        })}
        value={document.slug}
        findings={at('slug')}
        onChange={(slug) => set({ slug })}
      />
      <Text
        label={t('Excerpt')}
        value={document.excerpt}
        rows={3}
        findings={at('excerpt')}
        onChange={(excerpt) => set({ excerpt })}
      />
      <PictureField
        label={t('Cover')}
        description={t('It appears above the post in lists, and in previews of links.')}
        findings={at('cover')}
        value={document.cover}
        size={COVER_SIZE}
        format="jpeg"
        onChange={(cover) => set({ cover })}
      />
      <PostText value={document.content} findings={at('content')} onChange={(content) => set({ content })} />
      <Lines
        label={t('Tags')}
        description={t('One per line, such as “phone calls”. The site groups posts by them.')}
        value={document.tags ?? []}
        findings={findingsAt(findings, ['tags'], true)}
        onChange={(tags) => set({ tags })}
      />
      <Text
        label={t('Author')}
        description={t('The name under the title. Leave it empty to show the name of the school.')}
        value={document.author ?? ''}
        findings={at('author')}
        onChange={(author) => set({ author })}
      />
      <Field
        label={t('When it appears')}
        description={joinSentences(t, [
          t('Leave it empty to publish the post immediately. A later time schedules it.'),
          t('Time zone: {timeZone}.', { timeZone: panelTimeZone() }),
        ])}
        findings={at('publishAt')}
      >
        {(props) => (
          <MomentInput
            {...props}
            type="datetime-local"
            value={document.publishAt === null ? '' : toFieldTime(document.publishAt)}
            onChange={(time) => set({ publishAt: time === '' ? null : fromFieldTime(time) })}
          />
        )}
      </Field>
    </div>
  );
}
