/** The form of each kind of content. */
import { t } from '@parley/i18n';
import type { AnyContent, ContentDocument, ContentFinding } from '@parley/domain';
import type { ReactElement } from 'react';
import { CoachForm } from '../coach/coach-form.tsx';
import { PracticeForm } from '../practice/practice-form.tsx';
import { findingsAt, Text } from '../fields.tsx';
import { CourseForm } from './course-form.tsx';
import { PostForm } from './post-form.tsx';
import { VideoForm } from './video-form.tsx';
import css from '../content.module.css';

export function ContentForm({
  content,
  findings,
  onChange,
}: {
  content: AnyContent;
  findings: readonly ContentFinding[];
  onChange: (document: ContentDocument) => void;
}): ReactElement {
  const common = { id: content.id, findings, onChange };
  switch (content.kind) {
    case 'practice':
      return <PracticeForm {...common} document={content.document} />;
    case 'course':
      return <CourseForm {...common} document={content.document} />;
    case 'coach':
      return <CoachForm {...common} document={content.document} />;
    case 'video':
      return <VideoForm {...common} document={content.document} />;
    case 'post':
      return <PostForm {...common} document={content.document} />;
    case 'industry':
      return (
        <div className={css['form']}>
          <Text
            label={t('Name')}
            value={content.document.name}
            findings={findingsAt(findings, ['name'])}
            onChange={(name) => onChange({ name })}
          />
        </div>
      );
    default:
      return content satisfies never;
  }
}
