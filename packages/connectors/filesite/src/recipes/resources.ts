/** A person, application or device that did something. */
export interface IdentitySet {
  user?: { id?: string; displayName?: string; email?: string };
  application?: { id?: string; displayName?: string };
  device?: { id?: string; displayName?: string };
}

/** A site. */
export interface Site {
  /** Names the site in every other call: host and two ids, with commas between. */
  id: string;
  name?: string;
  displayName?: string;
  description?: string | null;
  webUrl: string;
  createdDateTime?: string;
  lastModifiedDateTime?: string;
  /** There on a top site only. */
  root?: object;
  siteCollection?: { hostname?: string; dataLocationCode?: string; root?: object };
  isPersonalSite?: boolean;
}

/** A file or folder. One of `file`, `folder` and `package` tells the kind. */
export interface DriveItem {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Opens the file in a browser. */
  webUrl: string;
  createdDateTime?: string;
  lastModifiedDateTime?: string;
  createdBy?: IdentitySet;
  lastModifiedBy?: IdentitySet;
  /** Changes with every version of the file. */
  eTag?: string;
  cTag?: string;
  parentReference?: {
    driveId?: string;
    driveType?: string;
    id?: string;
    name?: string;
    path?: string;
    siteId?: string;
  };
  fileSystemInfo?: { createdDateTime?: string; lastModifiedDateTime?: string };
  file?: {
    mimeType?: string;
    hashes?: { quickXorHash?: string; sha1Hash?: string; sha256Hash?: string; crc32Hash?: string };
  };
  folder?: { childCount?: number };
  package?: { type?: string };
  shared?: object;
  deleted?: object;
  /** Opens the file's content to anyone who has it, for about an hour: keep it out of logs, and do not store it. */
  '@microsoft.graph.downloadUrl'?: string;
}

/** Location of a file. */
export interface FileLocation {
  /** `id` of the site. Default: the root site. */
  siteId?: string | undefined;
  /** Path in the site's library, such as `Reports/2026 budget.csv`, as people read it: nothing is encoded yet. */
  path: string;
}
