/**
 * Tables as Parquet files. {@link dev.comity.parquet.ParquetTable} writes rows of typed columns,
 * {@link dev.comity.parquet.ParquetRows} reads rows as texts. No other module sees the library
 * behind them.
 */
@NullMarked
package dev.comity.parquet;

import org.jspecify.annotations.NullMarked;
