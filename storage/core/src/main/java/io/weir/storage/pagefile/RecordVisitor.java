package io.weir.storage.pagefile;

/** Takes the records of a group. The lines of each stand one after another, from the lowest on. */
interface RecordVisitor {
    /**
     * Some lines of a page are new.
     *
     * @param pageNumber of the page.
     * @param mask of the lines.
     * @param mapping of the segment that holds them.
     * @param offset of the first of them in the mapping.
     */
    void onLines(int pageNumber, long mask, int mapping, int offset);

    /**
     * A page is all new.
     *
     * @param pageNumber of the page.
     * @param mask of the lines that are told; the others are zero.
     * @param mapping of the segment that holds them.
     * @param offset of the first of them in the mapping.
     */
    void onPage(int pageNumber, long mask, int mapping, int offset);

    /**
     * A page is gone.
     *
     * @param pageNumber of the page.
     */
    void onGone(int pageNumber);
}
