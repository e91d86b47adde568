/** Where the shell gets a video from. */

/** A request to make. It may contain the device's token, so the window never sees it. */
export interface RemoteVideo {
  url: string;
  headers: Record<string, string>;
}

/** A complete copy on this computer. */
export interface KeptVideo {
  path: string;
  bytes: number;
  mediaType: string;
  etag: string;
}

export type VideoSource = RemoteVideo | KeptVideo;
