/** The learner's own picture, the initials of their name, or a generic person if they have given neither. */
import { type ReactElement, useState } from 'react';
import { cx } from '../class-names.ts';
import { Icon } from '../icons.tsx';
import css from './pictures.module.css';

export interface AvatarProps {
  firstName: string | null;
  lastName: string | null;
  imageUrl: string | null;
  /** In pixels. */
  size?: number;
  /**
   * The accessible name of the picture. Without it, the picture is decorative, for example next to the learner's name.
   */
  alt?: string;
}

/** The windows load pictures from nowhere else, so that no other server learns when Parley is open. */
const isLoadable = (url: string): boolean => url.startsWith('data:image/');

const initialOf = (name: string | null): string =>
  [...new Intl.Segmenter().segment(name?.trim() ?? '')][0]?.segment.toLocaleUpperCase() ?? '';

export function Avatar({ firstName, lastName, imageUrl, size = 40, alt = '' }: AvatarProps): ReactElement {
  const [damagedUrl, setDamagedUrl] = useState<string | null>(null);
  if (imageUrl !== null && isLoadable(imageUrl) && imageUrl !== damagedUrl)
    return (
      <img
        className={cx(css['round'], css['own'])}
        src={imageUrl}
        alt={alt}
        width={size}
        height={size}
        onError={() => setDamagedUrl(imageUrl)}
      />
    );
  const initials = initialOf(firstName) + initialOf(lastName);
  return (
    <span
      className={css['initials']}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      translate="no"
      aria-hidden="true"
    >
      {initials === '' ? <Icon name="coach" size={size * 0.55} /> : initials}
    </span>
  );
}
