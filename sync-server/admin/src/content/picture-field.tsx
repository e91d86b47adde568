/** Selects a picture from the admin's computer, and shows it as learners will see it. */
import { t } from '@parley/i18n';
import { Button, PICTURE_TYPES, type PictureFormat, type PictureSize, shrinkPicture } from '@parley/ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Field, type FieldProps } from './fields.tsx';
import { notPictureSentence } from './picture.ts';
import css from './content.module.css';

const SHOWN_HEIGHT = 72;

export function PictureField({
  value,
  size,
  format,
  onChange,
  children,
  ...field
}: FieldProps & {
  /** A `data:` address; empty for none. */
  value: string;
  size: PictureSize;
  format?: PictureFormat;
  onChange: (value: string) => void;
  children?: ReactNode;
}): ReactElement {
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File): Promise<void> => {
    try {
      onChange(await shrinkPicture(file, size, format));
      setProblem(null);
    } catch {
      setProblem(notPictureSentence(file.name));
    }
  };
  return (
    <Field {...field}>
      {(props) => (
        <>
          {value !== '' && (
            <img
              className={css['picture']}
              src={value}
              alt=""
              width={Math.round((SHOWN_HEIGHT * size.width) / size.height)}
              height={SHOWN_HEIGHT}
            />
          )}
          <input
            {...props}
            type="file"
            accept={PICTURE_TYPES}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) void choose(file);
            }}
          />
          {problem !== null && <p role="alert">{problem}</p>}
          {value !== '' && (
            <div>
              <Button variant="quiet" onPress={() => onChange('')}>
                {t('Remove the picture')}
              </Button>
            </div>
          )}
          {children}
        </>
      )}
    </Field>
  );
}
