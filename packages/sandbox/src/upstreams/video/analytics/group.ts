export const ITEM_TYPES = [
  'youtube#video',
  'youtube#channel',
  'youtube#playlist',
  'youtubePartner#asset',
] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export interface GroupItem {
  readonly id: string;
  readonly resource: { readonly kind: ItemType; readonly id: string };
}

/** A set of videos, playlists or channels that is reported as one. */
export interface Group {
  readonly id: string;
  /** The channel or content owner that it belongs to. */
  readonly owner: string;
  title: string;
  readonly itemType: ItemType;
  readonly publishedAt: number;
  readonly items: GroupItem[];
}
