/** Change it when the rules of any rung change; every rung is then made anew. */
export const RUNG_VERSION = 4
