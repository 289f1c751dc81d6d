/*
 * Properties of characters that regular expressions may name, Unicode
 * 14.0.0.
 *
 * Written by tools/unicode-properties.pl; not to be edited.  Included by
 * property.c alone, which says how they are written.
 */

#ifndef PROMPT_REGEX_PROPERTY_TABLES_H
#define PROMPT_REGEX_PROPERTY_TABLES_H


/* binary properties, in no order that means anything */
static const prompt_regex_property_t  prompt_regex_properties[] = {
    { 0x00000000, -1, "AgE" },
    { 0x00000000, -1, "y/LC" },
    { 0x00000000, -1, "sgIC" },
    { 0x00000000, -1, "7/8DF" },
    { 0x00000000, -1, "mv8Da" },
    { 0x00000000, -1, "AgggiB" },
    { 0x20000000, 5, "" },
    { 0x00000000, 1, "w/LM" },
    { 0x00000000, -1, "wBKHGaG" },
    { 0x00400000, -1, "JF3DBi9HC" },
    { 0x00000000, -1, "g0LaB5CM2G" },
    { 0x00001000, -1, "ziIBnBBPBmMB" },
    { 0x00000000, -1, "8wBBxvGCaF3BE" },
    { 0x00400000, 9, "gBBt/HC" },
    { 0x00000000, 8, "w4/BKHGaG" },
    { 0x00000001, -1, "grIQmaagjzDaGaGa" },
    { 0x00000000, -1, "rgGDBBwv5BQw3gawH" },
    { 0x00000000, -1, "gyDF7DFw3CDCB6nkBCCBBC" },
    { 0x00000000, -1, "pKBppBBjoCBBBphCClmCG5VC2m3bB" },
    { 0x00000000, 3, "jBBGBFKz+HB1GBrp3BB2+8Baw9BEszhYgD" },
    { 0x00000000, -1, "iBBEBjEBPB86HIZCnwDBpOENDhxzBE9FBEB6CC" },
    { 0x041000a8, -1, "nBBGBLB8DBvWB3OB0EBjxGCKBCBrv3BB+BBCBxFBGBLB" },
    { 0x00000000, -1,
      "ggNguGgCgwUuwWCBBBCKBBBBCCD2uhCg3pBgB5hEH+GCi0FOxpH/gFr6E" },
    { 0x00000000, 12,
      "tFBhVBvwDCzyBC1CF7/BDyCGEG0nEB7kzBQvHBgFBvCJnlvBEvmFIl0rYggE" },
    { 0x00000002, -1,
      "qFBPB1PJHCeFgDB0BBxtG/BNBiBlBxVBNBQNzGQwaay8BC+weCyGBnECibEghXBCDBqBB"
      "J" },
    { 0x00000000, 8,
      "hBmBUEBHUEiBHBBBCBBBCEBEBDBXBfB44HYIPCTBKxJwWgF2TesjBgQgEhMDEZPBtozBC"
      "lIC" },
    { 0x3e0000a0, 5,
      "+tCBYBmLBYBmDBYBqHBSCnDBYB3DBPB1qDBynBCkgECu7zBC+8EBYB4KBMBxHBgcB0huB"
      "BIF" },
    { 0x3e000000, 26, "AsgIBbC2/3bgDg8/F" },
    { 0x00000000, 22,
      "mgMCZJODlmyBuICBBBCKBBBBCCDkCCqDqodBb4/FI2mBqBJnjJsMkoxC+Q" },
    { 0x10000000, 5,
      "Agg4BgoGwmBgBuQC+//BC+//BC+//BC+//BC+//BC+//BC+//BC+//BC+//BC+//BC+//"
      "BC+//BC+//BC+//B" },
    { 0x00000000, -1,
      "9wJB7GBQE3jzDB8BDCBCD1DCCLVTDBEDBDHBBBYBpGCEBVBECuFDDFzCBQDJBLB/RBCBI"
      "IGBJKCD4BB9BCBCBBRDBNlHDqBH" },
    { 0x00000000, -1,
      "pDCkGB5IBeB0BBUBgKBiDBBBpoGBzBBNBDBkEB9EBlNB2GCy5CBl9pDCyBCyBCyBCyBCy"
      "BCyBCyBCyBCyBCyBCyBCyBCmkCB" },
    { 0x00000005, -1,
      "yeDtpHBEBDDCDCBDFGBDBDCCCBBKCFBaQmaaw5rDaaaaaaBBCCBCCCEBIaaaCBECIBHbC"
      "BEBFBBDHbaaaaaaaaaaaeZhBZhBZhBZhBZhBB" },
    { 0x00000000, -1,
      "3FB4QCubB5NB6aBwXB/DBjqCB4BBjTBuMBkCBp8EBrBFnDC9CD24bB2vBBieBWBpEBsDB"
      "VC7jVBwgCC6+CBoTDvmBBplUC8kBCBB4qcCmgCD" },
    { 0x00000b7e, 15, "3FBvWBh/DJozBB95BBVBxBQmaa/qCBrTCzkwDaGaGa" },
    { 0x00000000, 34, "6bBgpLCh+yBG2MC0DBBBBBBBBBBBBBBB" },
    { 0x00000000, 32,
      "1FBpBBpDB1BBlOB8DBNCDCZCDBxMB4wD2CCGikCJxQCkHIIIIIKDCBKDCBqBDCB47iBwC"
      "g6THMF" },
    { 0x00000000, 3,
      "pFBEBt8HBMB4GBWB6CGPCvLCMB/CBmCBZLEDnGBnHCKBJB6BEBGBMByDK2DCLBBBBGBDB"
      "GBKCPBCBEBBBEDBBLFtBDJBOBOB0LCvODTCzBBEB6mBBMB5SBBBmrvDgINDfB8BGMCOBC"
      "KS5BbPKBUBCJBEJ1XIqIwBgE0DM1CrBME4BIKGoBIeyCMvBBKB5NgI+f" },
    { 0x00000000, 4,
      "64ICtGEDBCBpQCVCyBMrBBTBNBICRCFCIBFBVBHCBBEBCBHBECcBjBBBBEDBB9BDYBOB7"
      "aCzBBEBulxDBqGB+FBCKmDBYBUBCFBDVCuFhBMJBmCBWMrBEFMRDBDnCBBB7FC/BNEBYS"
      "BaCNB2C1CwBmCGBDDCDFDLCHJjHMEB7IvBBKB5FwDFDFDHJdDLFGKKGIIH" },
    { 0x00000006, -1,
      "4JB0CBNBOCOBDBiDBSGbBCBBBCDCBBBCBFCBBCCBHBCBBCDGFBBBICR1EB2FBjLBnBB37"
      "FsB/BNCDBQBMhICBBqTBDCDBbBEBEBCCIEmBQwaan8BBCBCFoDBryeC/BIVBGBZBjBBBB"
      "kBB1ZjBBHFJxlqCaaHBSaaaEBBBHBLaaaaaaaaaaaaaaaaaccZBGaZBGaZBGaZBGaZBGB"
      "B05BKBU" },
    { 0x00000000, -1,
      "hBBMBQBpqBBzED0FBrBD2HB9BBBBDClJCk3BC2YBEClYBmGCsGBFB6JCiLEuFCCCdC8FC"
      "hCC8dCJDkvDBNBWCtNB8ndBuICjHBDB+LC2CC/CB4ECzEDwEC5HBmzUBDCpFBMBQBhCB0"
      "3CC9nBFsBE9FC1DE/DDhECGBQC4CCBCsDBhNC1LCFPpDC5HDlQBBB7HC3CCkNC0VC17SC"
      "lEBhCCLBzaBmwTBovHB" },
    { 0x00000004, 39, "kOBCBCBmBB+2DrBCD" },
    { 0x3e7e1480, 34,
      "A8BBBB4DBvWBh/DJozBB9xBIICuHBVBRBgGEDGDBDCDEBEBBBBEJFBBSFEJCBBBICfCEF"
      "BJCCTFCJFCCEYCQgBC+kBBCCDCBDFEFDDE1NGBOIBHGDBEFBCGBEBBDCCKGQTBECBBBCB"
      "BEFCGDYCLCEEBCCCErBCIBoBFBBBDFFDEBDFBBgIBwRBSB6OD7DChlzBC3GCcQCCbC2FB"
      "BB891BB5BB5BB5BB5BB8hqe" },
    { 0x00040005, 32,
      "+CBxbCBDaCCCghHBbDLBgBEYCOChCNEBDCEFaBDCDBVBFBEFDCIEWQlBFCEBCBCBBBFCC"
      "ECESCCBBBHBBGCiJEoFCBBYBRBzGawGCMJFFFCCCDFOBBBCGYC5BBBBdEJC2KCfKzMW/B"
      "EgBCjj1BBBBEBzGBBB7m1BaaHBSaaaEBBBHBLaaaaaaaaaaaaaaaaaccZBGaZBGaZBGaZ"
      "BGaZBGBBCyBgwFEBbBCBBCBBKBEBBBBGBEBBBBBBDBCBBCBBBBBBBBBBCBBCEBHBEBEBB"
      "BKBRFDBFBR" },
    { 0x00000000, 40,
      "sBBNCiaBIB7RBoCBOBnHIBBrHB3BHBBBDhBB7vBCsFBEGuiBBBEkcDmHDDBnBBBCCB0aB"
      "/GDhwEBKBBCxNB8ndBuIBmHDwWB3IBw7UCCC2FBNCoCB6hBBwBBmkBBnGBwOGkCG5CEsl"
      "BFsPByQBMCoLC7mBCgNBtBB+/BFk2RB9aBv/aBBC" },
    { 0x00000001, 39,
      "yeDtpHBEBDDCDCBDFGBDBDCCCBBKCFBaQmaaw5rDaaaaaaBBCCBCCCEBIaaaCBECIBHbC"
      "BEBFBBDHbaaaaaaaaaaaeZhBZhBZhBZhBZhBB" },
    { 0x00000000, 37,
      "jBBGBFKu6IB8TBBHBCBBDCBEBCBBCCBDBDCIDFBBBFMLCCBBCBBSBCCGKCGBBBCDCFBCC"
      "ECLCFCCBFCBBBCUCFGBECBEBCJBBCzCD4kyDEBqGBwBNDfB8BE9BzCDNsBEJHCuFiBCwD"
      "CCBDCzCCDBEF+HBnCDGBYHCCIMBCECBECNCCBICJBFDMDIDCBBBEBGBDBGsGFICDFJDBB"
      "CDBCKD0DM1CLMEBPME4BIKGoBIeyCgIwDFDFDHJdDLFGKKGIIHJgI+f" },
    { 0x00000960, 34, "3FBvWBh/DJzoBCzKB" },
    { 0x00000005, 24, "grIQmaagjzDaGaGa" },
    { 0x00000960, 35, "3FBvWBr1CB/DB1lBJzoBCzKBju5BC" },
    { 0x00100008, 33,
      "wWCuBvCBIFGgJFpIRBbBBBCBBmEIECmECJDjCb7CL6BJkBDJBDB/CBPIqBJQc9BBQBDEn"
      "DBQBuDBQBuDBQBvBD8BBQB/DBuDBQBuDBQBtDCQB8DB8DGBBrDBNFrCCbBBBBBECiCDBC"
      "+BBwDBBCoBCEFZHBBKCgDBgTD0dCzFLDBFBsBBuJD5JICBwBPCLoDBPBmBJ2BCrEBjCB0"
      "CZEBGBCD+DBiBlBEMlBLxTBNBQN/+CCxDD9DB6VGLB9CChDB7/cGxLBMCyDC+DBhEDvGB"
      "bS5BEkBB/CBMBkBB1EDhCEzBB1HCw5TBzER9SQgKBvbBglBCibC7RG+QLxBEgGBpBBoCC"
      "4DC+BBsCBJDoDCyFCxCBQBPBIHDFtGBDB7DC7HCFD2DB2DCzDBtICiICEB8EBzCBSBwCC"
      "lNBiIBBCxCB4qTF7BHJCtiBE9CCu4XuBCXgRDDGIICHeEi8DMyLB9BEgvBHxDEv1CF" },
    { 0x00000000, 36,
      "gFBHBBBCBBBCDDDBD0DBMBlEBCBCBmBB8FJfGCF7CCBCKBkBBFBDBFCBBqCDdBpRB4CE/"
      "WI8DCBBzCBCBiBDCB9HC1WB/DBoBCuBB2BBJBEBEBEBMBJBBFHBRBJBEBEBEBMBiKBiDC"
      "zyBC1CF8oBDBLBSBcNBiBlBxNBBBBBBBBBBBBB/BFLDDBJDDBJDNCBQBBFBMDDGDCBCEB"
      "BBIDNBHTCbBNLB3CEBDBLBCCFCDBBDBDCBDBHBGEFGQQQJBiFCBC4HC1J2CabhpBBnDDl"
      "DB/MCxHBvJBzCBM2GqBB1BBBDgDCCB/CBxB+CDOgDfBoBIvBBgM80cCyGBhEDDCibEJB2"
      "sTuICBBBCKBBBBCCDkCCqDjCBBYBFBBBCBCBsDhBrLSgCC2BoBNDaWVCMBTBEEDBBBnEC"
      "BBgBakEDGCGCGCDDHBHBJo8BFBqBBJlntBE6lFHOIgCG/R1CBnCBCCBCCCEBMBBBHBhCB"
      "ECIBHBcBEBFBBDHB0KCkJCyBgwFEBbBCBBCBBKBEBBBBGBEBBBBBBDBCBBCBBBBBBBBBB"
      "CBBCEBHBEBEBBBKBRFDBFBRkSLFfBgBaDjBBvDDNsBEJHC+sCKmg/B+QivhWggE" },
    { 0x00000980, 34,
      "3FBoSlCBqBXB7HHnIfoFBmECJDzCLgFJJBaCTBrBD8BIqBKMCIGsCBQBDEnDBQBwBB9BB"
      "QBuDBQBvBD8BBQBHB3DB2BB3BBQBuDBQBtDCQB8DB8DGBBrDBNFrCCbBBBBBECiCDBC+B"
      "BwDBBCiZDJJidCeB/DCTLJBtBDBBpJD+EBlEBUICBwBPCLoDBPBmBJ2BC6BBLCjCB4EDB"
      "VEBGBCDmGnBOLwWhBnBBVBnc0BlgCDtEBvFB6PGpDEyudEJCyDC0IBlBB3EBbS5BDlBB/"
      "CBMB+HBBB0BB1HCywUQQQteBiHB36BDEBlFC/iBLxBEgGBpBBOD3BC4DC+BBsCBIEoDCy"
      "FCwCCQBYHDFtGBDBXBjDC7HC+DB2DCzDBtICiICEB8EByCCSBwCClNBiIBBCxCB4qTF7B"
      "HtlBB4lTBizEuBCX+QFDGIICHeE0ED79B3BEyBIBOBWFBPg0BH3LB9BEgvBHtDDBDl/Ba"
      "GaGa27jYwH" }
};


/* binaries */
static const prompt_regex_property_name_t
    prompt_regex_binaries[] = {
    { "AHex", 8 }, { "ASCII", 0 }, { "ASCII_Hex_Digit", 8 }, { "Alpha", 52 },
    { "Alphabetic", 52 }, { "Any", 5 }, { "Assigned", 6 }, { "Bidi_C", 12 },
    { "Bidi_Control", 12 }, { "Bidi_M", 42 }, { "Bidi_Mirrored", 42 },
    { "CI", 21 }, { "CWCF", 36 }, { "CWCM", 45 }, { "CWKCF", 51 },
    { "CWL", 32 }, { "CWT", 41 }, { "CWU", 39 }, { "Case_Ignorable", 21 },
    { "Cased", 48 }, { "Changes_When_Casefolded", 36 },
    { "Changes_When_Casemapped", 45 }, { "Changes_When_Lowercased", 32 },
    { "Changes_When_NFKC_Casefolded", 51 }, { "Changes_When_Titlecased", 41 },
    { "Changes_When_Uppercased", 39 }, { "DI", 23 }, { "Dash", 11 },
    { "Default_Ignorable_Code_Point", 23 }, { "Dep", 18 },
    { "Deprecated", 18 }, { "Dia", 50 }, { "Diacritic", 50 }, { "EBase", 30 },
    { "EComp", 19 }, { "EMod", 3 }, { "EPres", 38 }, { "Emoji", 46 },
    { "Emoji_Component", 19 }, { "Emoji_Modifier", 3 },
    { "Emoji_Modifier_Base", 30 }, { "Emoji_Presentation", 38 }, { "Ext", 33 },
    { "ExtPict", 37 }, { "Extended_Pictographic", 37 }, { "Extender", 33 },
    { "Gr_Base", 26 }, { "Gr_Ext", 27 }, { "Grapheme_Base", 26 },
    { "Grapheme_Extend", 27 }, { "Hex", 14 }, { "Hex_Digit", 14 },
    { "IDC", 34 }, { "IDS", 47 }, { "IDSB", 7 }, { "IDST", 1 },
    { "IDS_Binary_Operator", 7 }, { "IDS_Trinary_Operator", 1 },
    { "ID_Continue", 34 }, { "ID_Start", 47 }, { "Ideo", 28 },
    { "Ideographic", 28 }, { "Join_C", 2 }, { "Join_Control", 2 },
    { "LOE", 17 }, { "Logical_Order_Exception", 17 }, { "Lower", 24 },
    { "Lowercase", 24 }, { "Math", 43 }, { "NChar", 29 },
    { "Noncharacter_Code_Point", 29 }, { "Pat_Syn", 25 }, { "Pat_WS", 13 },
    { "Pattern_Syntax", 25 }, { "Pattern_White_Space", 13 }, { "QMark", 20 },
    { "Quotation_Mark", 20 }, { "RI", 4 }, { "Radical", 10 },
    { "Regional_Indicator", 4 }, { "SD", 31 }, { "STerm", 40 },
    { "Sentence_Terminal", 40 }, { "Soft_Dotted", 31 }, { "Term", 44 },
    { "Terminal_Punctuation", 44 }, { "UIdeo", 22 },
    { "Unified_Ideograph", 22 }, { "Upper", 15 }, { "Uppercase", 15 },
    { "VS", 16 }, { "Variation_Selector", 16 }, { "White_Space", 9 },
    { "XIDC", 35 }, { "XIDS", 49 }, { "XID_Continue", 35 },
    { "XID_Start", 49 }, { "space", 9 }
};


/* categories */
static const prompt_regex_property_name_t
    prompt_regex_categories[] = {
    { "C", 0x3e000000 }, { "Cased_Letter", 0x00000007 }, { "Cc", 0x02000000 },
    { "Cf", 0x04000000 }, { "Close_Punctuation", 0x00004000 },
    { "Cn", 0x20000000 }, { "Co", 0x10000000 },
    { "Combining_Mark", 0x000000e0 }, { "Connector_Punctuation", 0x00000800 },
    { "Control", 0x02000000 }, { "Cs", 0x08000000 },
    { "Currency_Symbol", 0x00080000 }, { "Dash_Punctuation", 0x00001000 },
    { "Decimal_Number", 0x00000100 }, { "Enclosing_Mark", 0x00000080 },
    { "Final_Punctuation", 0x00010000 }, { "Format", 0x04000000 },
    { "Initial_Punctuation", 0x00008000 }, { "L", 0x0000001f },
    { "LC", 0x00000007 }, { "Letter", 0x0000001f },
    { "Letter_Number", 0x00000200 }, { "Line_Separator", 0x00800000 },
    { "Ll", 0x00000002 }, { "Lm", 0x00000008 }, { "Lo", 0x00000010 },
    { "Lowercase_Letter", 0x00000002 }, { "Lt", 0x00000004 },
    { "Lu", 0x00000001 }, { "M", 0x000000e0 }, { "Mark", 0x000000e0 },
    { "Math_Symbol", 0x00040000 }, { "Mc", 0x00000040 }, { "Me", 0x00000080 },
    { "Mn", 0x00000020 }, { "Modifier_Letter", 0x00000008 },
    { "Modifier_Symbol", 0x00100000 }, { "N", 0x00000700 },
    { "Nd", 0x00000100 }, { "Nl", 0x00000200 }, { "No", 0x00000400 },
    { "Nonspacing_Mark", 0x00000020 }, { "Number", 0x00000700 },
    { "Open_Punctuation", 0x00002000 }, { "Other", 0x3e000000 },
    { "Other_Letter", 0x00000010 }, { "Other_Number", 0x00000400 },
    { "Other_Punctuation", 0x00020000 }, { "Other_Symbol", 0x00200000 },
    { "P", 0x0003f800 }, { "Paragraph_Separator", 0x01000000 },
    { "Pc", 0x00000800 }, { "Pd", 0x00001000 }, { "Pe", 0x00004000 },
    { "Pf", 0x00010000 }, { "Pi", 0x00008000 }, { "Po", 0x00020000 },
    { "Private_Use", 0x10000000 }, { "Ps", 0x00002000 },
    { "Punctuation", 0x0003f800 }, { "S", 0x003c0000 }, { "Sc", 0x00080000 },
    { "Separator", 0x01c00000 }, { "Sk", 0x00100000 }, { "Sm", 0x00040000 },
    { "So", 0x00200000 }, { "Space_Separator", 0x00400000 },
    { "Spacing_Mark", 0x00000040 }, { "Surrogate", 0x08000000 },
    { "Symbol", 0x003c0000 }, { "Titlecase_Letter", 0x00000004 },
    { "Unassigned", 0x20000000 }, { "Uppercase_Letter", 0x00000001 },
    { "Z", 0x01c00000 }, { "Zl", 0x00800000 }, { "Zp", 0x01000000 },
    { "Zs", 0x00400000 }, { "cntrl", 0x02000000 }, { "digit", 0x00000100 },
    { "punct", 0x0003f800 }
};


/* what has none, as if it were one */
#define PROMPT_REGEX_NO_SCRIPT  161


/* scripts */
static const prompt_regex_property_name_t
    prompt_regex_scripts[] = {
    { "Adlam", 39 }, { "Adlm", 39 }, { "Aghb", 40 }, { "Ahom", 41 },
    { "Anatolian_Hieroglyphs", 73 }, { "Arab", 3 }, { "Arabic", 3 },
    { "Armenian", 18 }, { "Armi", 42 }, { "Armn", 18 }, { "Avestan", 43 },
    { "Avst", 43 }, { "Bali", 44 }, { "Balinese", 44 }, { "Bamu", 19 },
    { "Bamum", 19 }, { "Bass", 45 }, { "Bassa_Vah", 45 }, { "Batak", 46 },
    { "Batk", 46 }, { "Beng", 47 }, { "Bengali", 47 }, { "Bhaiksuki", 48 },
    { "Bhks", 48 }, { "Bopo", 14 }, { "Bopomofo", 14 }, { "Brah", 49 },
    { "Brahmi", 49 }, { "Brai", 50 }, { "Braille", 50 }, { "Bugi", 51 },
    { "Buginese", 51 }, { "Buhd", 52 }, { "Buhid", 52 }, { "Cakm", 53 },
    { "Canadian_Aboriginal", 15 }, { "Cans", 15 }, { "Cari", 54 },
    { "Carian", 54 }, { "Caucasian_Albanian", 40 }, { "Chakma", 53 },
    { "Cham", 55 }, { "Cher", 20 }, { "Cherokee", 20 }, { "Chorasmian", 56 },
    { "Chrs", 56 }, { "Common", 0 }, { "Copt", 21 }, { "Coptic", 21 },
    { "Cpmn", 57 }, { "Cprt", 58 }, { "Cuneiform", 157 }, { "Cypriot", 58 },
    { "Cypro_Minoan", 57 }, { "Cyrillic", 7 }, { "Cyrl", 7 },
    { "Deseret", 61 }, { "Deva", 10 }, { "Devanagari", 10 }, { "Diak", 59 },
    { "Dives_Akuru", 59 }, { "Dogr", 60 }, { "Dogra", 60 }, { "Dsrt", 61 },
    { "Dupl", 62 }, { "Duployan", 62 }, { "Egyp", 63 },
    { "Egyptian_Hieroglyphs", 63 }, { "Elba", 64 }, { "Elbasan", 64 },
    { "Elym", 65 }, { "Elymaic", 65 }, { "Ethi", 11 }, { "Ethiopic", 11 },
    { "Geor", 12 }, { "Georgian", 12 }, { "Glag", 22 }, { "Glagolitic", 22 },
    { "Gong", 66 }, { "Gonm", 67 }, { "Goth", 68 }, { "Gothic", 68 },
    { "Gran", 23 }, { "Grantha", 23 }, { "Greek", 4 }, { "Grek", 4 },
    { "Gujarati", 69 }, { "Gujr", 69 }, { "Gunjala_Gondi", 66 },
    { "Gurmukhi", 70 }, { "Guru", 70 }, { "Han", 5 }, { "Hang", 8 },
    { "Hangul", 8 }, { "Hani", 5 }, { "Hanifi_Rohingya", 125 }, { "Hano", 71 },
    { "Hanunoo", 71 }, { "Hatr", 72 }, { "Hatran", 72 }, { "Hebr", 24 },
    { "Hebrew", 24 }, { "Hira", 9 }, { "Hiragana", 9 }, { "Hluw", 73 },
    { "Hmng", 74 }, { "Hmnp", 75 }, { "Hung", 76 }, { "Imperial_Aramaic", 42 },
    { "Inherited", 2 }, { "Inscriptional_Pahlavi", 119 },
    { "Inscriptional_Parthian", 123 }, { "Ital", 77 }, { "Java", 25 },
    { "Javanese", 25 }, { "Kaithi", 81 }, { "Kali", 26 }, { "Kana", 6 },
    { "Kannada", 80 }, { "Katakana", 6 }, { "Kayah_Li", 26 }, { "Khar", 78 },
    { "Kharoshthi", 78 }, { "Khitan_Small_Script", 28 }, { "Khmer", 27 },
    { "Khmr", 27 }, { "Khoj", 79 }, { "Khojki", 79 }, { "Khudawadi", 133 },
    { "Kits", 28 }, { "Knda", 80 }, { "Kthi", 81 }, { "Lana", 82 },
    { "Lao", 83 }, { "Laoo", 83 }, { "Latin", 1 }, { "Latn", 1 },
    { "Lepc", 84 }, { "Lepcha", 84 }, { "Limb", 85 }, { "Limbu", 85 },
    { "Lina", 86 }, { "Linb", 87 }, { "Linear_A", 86 }, { "Linear_B", 87 },
    { "Lisu", 29 }, { "Lyci", 88 }, { "Lycian", 88 }, { "Lydi", 89 },
    { "Lydian", 89 }, { "Mahajani", 90 }, { "Mahj", 90 }, { "Maka", 91 },
    { "Makasar", 91 }, { "Malayalam", 99 }, { "Mand", 92 }, { "Mandaic", 92 },
    { "Mani", 93 }, { "Manichaean", 93 }, { "Marc", 94 }, { "Marchen", 94 },
    { "Masaram_Gondi", 67 }, { "Medefaidrin", 95 }, { "Medf", 95 },
    { "Meetei_Mayek", 30 }, { "Mend", 96 }, { "Mende_Kikakui", 96 },
    { "Merc", 97 }, { "Mero", 98 }, { "Meroitic_Cursive", 97 },
    { "Meroitic_Hieroglyphs", 98 }, { "Miao", 122 }, { "Mlym", 99 },
    { "Modi", 100 }, { "Mong", 13 }, { "Mongolian", 13 }, { "Mro", 101 },
    { "Mroo", 101 }, { "Mtei", 30 }, { "Mult", 102 }, { "Multani", 102 },
    { "Myanmar", 16 }, { "Mymr", 16 }, { "Nabataean", 105 }, { "Nand", 103 },
    { "Nandinagari", 103 }, { "Narb", 104 }, { "Nbat", 105 },
    { "New_Tai_Lue", 142 }, { "Newa", 106 }, { "Nko", 107 }, { "Nkoo", 107 },
    { "Nshu", 31 }, { "Nushu", 31 }, { "Nyiakeng_Puachue_Hmong", 75 },
    { "Ogam", 108 }, { "Ogham", 108 }, { "Ol_Chiki", 109 }, { "Olck", 109 },
    { "Old_Hungarian", 76 }, { "Old_Italic", 77 },
    { "Old_North_Arabian", 104 }, { "Old_Permic", 117 },
    { "Old_Persian", 156 }, { "Old_Sogdian", 135 },
    { "Old_South_Arabian", 127 }, { "Old_Turkic", 110 }, { "Old_Uyghur", 114 },
    { "Oriya", 111 }, { "Orkh", 110 }, { "Orya", 111 }, { "Osage", 112 },
    { "Osge", 112 }, { "Osma", 113 }, { "Osmanya", 113 }, { "Ougr", 114 },
    { "Pahawh_Hmong", 74 }, { "Palm", 115 }, { "Palmyrene", 115 },
    { "Pau_Cin_Hau", 116 }, { "Pauc", 116 }, { "Perm", 117 }, { "Phag", 118 },
    { "Phags_Pa", 118 }, { "Phli", 119 }, { "Phlp", 120 }, { "Phnx", 121 },
    { "Phoenician", 121 }, { "Plrd", 122 }, { "Prti", 123 },
    { "Psalter_Pahlavi", 120 }, { "Qaac", 21 }, { "Qaai", 2 },
    { "Rejang", 124 }, { "Rjng", 124 }, { "Rohg", 125 }, { "Runic", 32 },
    { "Runr", 32 }, { "Samaritan", 126 }, { "Samr", 126 }, { "Sarb", 127 },
    { "Saur", 128 }, { "Saurashtra", 128 }, { "Sgnw", 129 },
    { "Sharada", 131 }, { "Shavian", 130 }, { "Shaw", 130 }, { "Shrd", 131 },
    { "Sidd", 132 }, { "Siddham", 132 }, { "SignWriting", 129 },
    { "Sind", 133 }, { "Sinh", 33 }, { "Sinhala", 33 }, { "Sogd", 134 },
    { "Sogdian", 134 }, { "Sogo", 135 }, { "Sora", 136 },
    { "Sora_Sompeng", 136 }, { "Soyo", 137 }, { "Soyombo", 137 },
    { "Sund", 34 }, { "Sundanese", 34 }, { "Sylo", 138 },
    { "Syloti_Nagri", 138 }, { "Syrc", 35 }, { "Syriac", 35 },
    { "Tagalog", 146 }, { "Tagb", 139 }, { "Tagbanwa", 139 },
    { "Tai_Le", 141 }, { "Tai_Tham", 82 }, { "Tai_Viet", 143 },
    { "Takr", 140 }, { "Takri", 140 }, { "Tale", 141 }, { "Talu", 142 },
    { "Tamil", 36 }, { "Taml", 36 }, { "Tang", 17 }, { "Tangsa", 149 },
    { "Tangut", 17 }, { "Tavt", 143 }, { "Telu", 144 }, { "Telugu", 144 },
    { "Tfng", 145 }, { "Tglg", 146 }, { "Thaa", 147 }, { "Thaana", 147 },
    { "Thai", 37 }, { "Tibetan", 38 }, { "Tibt", 38 }, { "Tifinagh", 145 },
    { "Tirh", 148 }, { "Tirhuta", 148 }, { "Tnsa", 149 }, { "Toto", 150 },
    { "Ugar", 151 }, { "Ugaritic", 151 }, { "Unknown", 161 }, { "Vai", 152 },
    { "Vaii", 152 }, { "Vith", 153 }, { "Vithkuqi", 153 }, { "Wancho", 155 },
    { "Wara", 154 }, { "Warang_Citi", 154 }, { "Wcho", 155 }, { "Xpeo", 156 },
    { "Xsux", 157 }, { "Yezi", 158 }, { "Yezidi", 158 }, { "Yi", 159 },
    { "Yiii", 159 }, { "Zanabazar_Square", 160 }, { "Zanb", 160 },
    { "Zinh", 2 }, { "Zyyy", 0 }, { "Zzzz", 161 }
};


/* what Script_Extensions differ from Script in, where they do */
static const prompt_regex_extension_t  prompt_regex_extensions[] = {
    { 0,
      "swBBOBDBgBBjZC18BB5xBCrGCBBtmBBNBHEBGBDCB0ZBzwDB9NDCBBKBNQGBBEE7CCDB6"
      "CCzEQgBkB8BoB4BxBPMzBB4CZKFgDfh4cIoJK0HBgFBu7UClIC6IFKBtBCgLDEtBDJhNb"
      "ktuBE81FS+2HC" },
    { 1, "jbN1ICqmBCo9BBz5DBgGBvwhBImRB" },
    { 2, "iaBCBdN1ICkOLaBgXC97EDBNBHEBGBDCmGC2BBBB1XB55DErDCly0BB6iEB" },
    { 3, "swBBOBDBgBBKLaBt29BCgtBc" }, { 4, "iaBCB6zGC" },
    { 5,
      "hgMDCBBKBNKECBGBEE7FB0EQgBkB8BoB4BxBPMzBB4CZKFgDfh4cI95VC6IF6/0BS+2HC" },
    { 6, "hgMDEKBNQGBBEC7CEDB6CCoqzBC6IFKBtBC" }, { 7, "lkBCxrGBqiEB" },
    { 8, "hgMDEKBNQBGBjGBpqzBC6IF" },
    { 9, "hgMDEKBNQGBBEC7CEDB6CCoqzBC6IFKBtBC" },
    { 10, "xqCCRCq7EnBBC2fB/5hBK" }, { 12, "7nEB" }, { 13, "igGCBBphCB" },
    { 14, "hgMDEKBNKECBGBjGBpqzBC6IF" }, { 16, "upqBB" }, { 21, "g3gCc" },
    { 22, "kkBBCB7tKBrheB" }, { 23, "xqCCRCgUO8mEBBCeDDC2fBqy8BB0kDCBB" },
    { 25, "vuqBB" }, { 26, "upqBB" }, { 33, "krCC" },
    { 35, "swBBOCCBgBBKLaBn8FBBB" }, { 36, "xqCCRC07EB4gjBBtwaBBB3BC" },
    { 39, "/wBBgBB" }, { 47, "xqCCRCq7EBBBCCBBIBIBCBEBCD5/iBB" },
    { 51, "vuqBB" }, { 52, "15FC" }, { 53, "mvCKwyBK" }, { 57, "gogCC" },
    { 58, "gogCDEtBDJ" }, { 60, "krCMg2nBK" }, { 62, "glvDE" }, { 66, "krCC" },
    { 67, "krCC" }, { 69, "xqCCRCq2nBK" }, { 70, "xqCCRCq2nBK" },
    { 71, "15FC" }, { 79, "m3CKgqnBK" }, { 80, "xqCCRCq7EBBBHBXBBB75iBG" },
    { 81, "mrCKg2nBK" }, { 85, "lrCB" }, { 86, "nogCtB" },
    { 87, "gogCDEtBDJ" }, { 90, "krCMg2nBK" }, { 92, "gyBB" }, { 93, "gyBB" },
    { 99, "xqCCRC07EB16iBD" }, { 100, "whqBK" }, { 102, "mzCK" },
    { 103, "krCCgcK5/DBIBHB15iBG" }, { 107, "swBBOBDB+49BC" },
    { 111, "xqCCRC07EBXB" }, { 114, "gyBBxlhCB" }, { 117, "jkBB" },
    { 118, "igGCBB" }, { 120, "gyBB" }, { 125, "swBBOBDBgBBzEB" },
    { 131, "xqCBl8EBBBCCCB" }, { 133, "krCCq2nBK" }, { 134, "gyBB" },
    { 138, "krCCgEK" }, { 139, "15FC" }, { 140, "krCCq2nBK" }, { 141, "giEK" },
    { 144, "xqCCRC07EBXB" }, { 146, "15FC" }, { 147, "swBBOCCBgCKo89BBKB" },
    { 148, "xqCCRCs8EB95iBK" }, { 158, "swBBOBDBgCK" },
    { 159, "hgMCFKCI/GBlzzBF" }
};


/* runs of the same script: how many follow the first, and the script */
static const char  prompt_regex_script_runs[] =
    "gCAZBFAZBuBAABOAABEAWBAAeBAAgOBmBAEBEABOTAvDCDEAAIEAAFEAAAEAA5CENVPEkEH"
    "BCpFH/CSuDYEDAAFDAANDAACDAAfDAAJDKCZDACrDDAAhBDvCjBvBD/BzE/BrD/B+Df8CPj"
    "BxDDAAcDwCKDCOKBAZKgEvB/DmC/DlCgEvD9DkB/DwE/DwCgEjD/DhB9BlBAAgClB+DzC0G"
    "mBDAmBmB/EQ6CMAADM/HI/ML/CU/TPfsDqCgBCARgBfyEUnCKAf0BfrE/DbBNBAANAApFNv"
    "CPvC1CvBtE/CuEfbfzBvEyCvCC/DsB/BiB/BuBvC0CvBtDPHvBMPiBCCAAMCAAGCDAACFAA"
    "CCABCFAlBBEEAHwBBEEDBEEMBAHlCBAE/BC/HB/HELABCiDACBKAABPAPBvBAvBClBAAECA"
    "BBFAABaAABQAoBB2zBA/HyB/XA/CWfB/DVvBMvCxE/CLfH/DAvLFUAAFAAAFYAIFDCBIHAD"
    "FEA3CJBCBACJAA5CGBAHGrBO+CIPAfOvBAPGfI/BAeIwCAuBGAA3CGnFA/tGF/BA/vUFvmB"
    "/EvBd/J4E/CH/CThBAlDBCA0DBvBqEPA/B2D/CgEfKtBaAAAavB8DfIuCZAAPZfQ/C3BfQ/"
    "CvEgBeuBLqBBAAIBAEDBFAvCU/Be/nTI/PFSBJSyBYtPDBA/FDPCPANCBH/BAuEDhBAZBFA"
    "ZBKAJGAAsBGBA/BIfA/H3C/BAvCEPAvBEsBAiECf4C/B2BACeAvBtCfkCvB1Df3E/C8EvC9"
    "BvBiEvBxDvCwDvBgC/BoBvE5E/L2C/DB/B6BfqBfzD/CpDfoCf5D/C5CfiD/ChD/CuCf/D/"
    "BoD/B9C/BrBf7Df3D/D4D/DuD/DsC/K9DfD/D+EvBnE/BmE/ByDvB4BfhC/DxBvCxCvBoEv"
    "C1BvB6CgDjEehB/DvCvBmDvClE6BXACjGX/DqD/H0E/DkE/CkDfN/DsE/HpB/E8B/C6E/E7"
    "B/CnDvCgF/CpEPP/J0DvDwBvE+C/CjC/LiCvG7CPd/BkBv8D9EvD5B//E/B//IpC/RTvBlD"
    "/C1EvBtB/ZqC/F/C/G6DARAfBFLcPF/3GR/Pcv3IRQG+IJvBGTJLGv0Cf/E+B/yEAvCC2QA"
    "CCQAHCBAGCdADCxCA/GE/oBA/3BhE/HB/HWvMrCvB2E/oB7EfL/HgDwbnBuMA/PD/PAAJ+v"
    "DAgggYF+HA/3/FC";

#endif /* PROMPT_REGEX_PROPERTY_TABLES_H */
