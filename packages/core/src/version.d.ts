/** Version of this package. The build replaces it with a literal. */
declare const VERSION: string;
