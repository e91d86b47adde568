/** The text of a post in Markdown, with a preview next to it. Pictures are chosen, dropped or pasted. */
import type { ContentFinding } from '@parley/domain';
import { t } from '@parley/i18n';
import { Button, PICTURE_TYPES } from '@parley/ui';
import { type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { MarkdownPreview } from '../../foundation/markdown/markdown-preview.tsx';
import { Field } from '../fields.tsx';
import { fitPicture, notPictureSentence } from '../picture.ts';
import { insertBlock } from './insert-block.ts';
import { type ChosenPicture, PictureDialog } from './picture-dialog.tsx';

interface PostTextProps {
  value: string;
  findings: readonly ContentFinding[];
  onChange: (value: string) => void;
}

export function PostText({ value, findings, onChange }: PostTextProps): ReactElement {
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ChosenPicture | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  // Changing the text from outside moves the cursor to the end, where the next picture would then be inserted.
  useLayoutEffect(() => {
    if (cursor !== null) area.current?.setSelectionRange(cursor, cursor);
  }, [cursor]);

  const choose = async (file: File): Promise<void> => {
    try {
      setPicture({ fileName: file.name, ...(await fitPicture(file)) });
      setProblem(null);
    } catch {
      setProblem(notPictureSentence(file.name));
    }
  };
  /** Returns whether there was a picture. */
  const take = ({ files: [file] }: DataTransfer): boolean => {
    if (file?.type.startsWith('image/') !== true) return false;
    void choose(file);
    return true;
  };
  const insert = (markdown: string): void => {
    const inserted = insertBlock(value, area.current?.selectionStart ?? value.length, markdown);
    onChange(inserted.text);
    setCursor(inserted.cursor);
    setPicture(null);
  };

  return (
    <MarkdownPreview text={value} language="en">
      <Field
        label={t('Text')}
        description={t(
          'In Markdown: ## A heading, **important**, - a list item, [a link](https://example.com). You can drop or paste pictures here.',
        )}
        findings={findings}
      >
        {(props) => (
          <>
            <textarea
              {...props}
              ref={area}
              dir="auto"
              rows={18}
              value={value}
              onChange={({ target }) => onChange(target.value)}
              onDrop={(event) => {
                if (take(event.dataTransfer)) event.preventDefault();
              }}
              onPaste={(event) => {
                // Word processors also copy their text as a picture.
                if (event.clipboardData.getData('text/plain') === '' && take(event.clipboardData))
                  event.preventDefault();
              }}
            />
            <div>
              <Button onPress={() => chooser.current?.click()}>{t('Insert a picture')}</Button>
            </div>
            <input
              ref={chooser}
              type="file"
              accept={PICTURE_TYPES}
              hidden
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file !== undefined) void choose(file);
                target.value = '';
              }}
            />
            {problem !== null && <p role="alert">{problem}</p>}
            {picture !== null && <PictureDialog picture={picture} onInsert={insert} onClose={() => setPicture(null)} />}
          </>
        )}
      </Field>
    </MarkdownPreview>
  );
}
