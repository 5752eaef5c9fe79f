/** Person, application or device that made a change. */
export interface IdentitySet {
  user?: { id?: string; displayName?: string; email?: string };
  application?: { id?: string; displayName?: string };
  device?: { id?: string; displayName?: string };
}

/** Site of the organization, which has a library of files. */
export interface Site {
  /** Identifies the site in other calls: a host and two ids, separated by commas. */
  id: string;
  name?: string;
  displayName?: string;
  description?: string | null;
  webUrl: string;
  createdDateTime?: string;
  lastModifiedDateTime?: string;
  /** Empty object that marks a top-level site. Absent on other sites. */
  root?: object;
  siteCollection?: { hostname?: string; dataLocationCode?: string; root?: object };
  isPersonalSite?: boolean;
}

/** File or folder. Exactly one of `file`, `folder` and `package` is present and determines the kind. */
export interface DriveItem {
  id: string;
  name: string;
  /** Size in bytes. */
  size: number;
  /** URL that opens the file in a browser. */
  webUrl: string;
  createdDateTime?: string;
  lastModifiedDateTime?: string;
  createdBy?: IdentitySet;
  lastModifiedBy?: IdentitySet;
  /** Entity tag, which changes with every version of the file. */
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
  /**
   * Signed URL of the content, valid for about an hour without credentials. Do not log or store it, because anybody
   * who has it can read the file.
   */
  '@microsoft.graph.downloadUrl'?: string;
}

/** Location of a file. */
export interface FileLocation {
  /** `id` of the site. Default: the root site. */
  siteId?: string | undefined;
  /** Path in the site's library, such as `Reports/2026 budget.csv`, without percent-encoding. */
  path: string;
}
